/* threads_put THREADS [twice]: a model whose threads put blocks of its box, in twelve steps of an hour. With one thread
 * the blocks come in their order; with several each comes from another thread in each step, and the fields in another
 * order. What is put is known by field, step and place, so that files are the same. With "twice" all threads put the
 * same block in the first step, and how many of them were told so is printed. The configuration is thalweg.yaml. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thalweg.h>

enum { NZ = 3, NY = 24, NX = 40, BLOCK_Y = 4, BLOCK_X = 10, STEPS = 12, FIELDS = 8, MOST_THREADS = 16 };
enum { TEMP, U, V, HEIGHT, FLUX, RAIN, NOBODY, AREA };

static const char* const names[FIELDS] = {"temp", "u", "v", "height", "flux", "rain", "nobody", "area"};

typedef struct Model {
  thalweg_field* fields[FIELDS];
  int64_t first_y, rows, blocks;
  int threads, step;
  int is_twice;
} Model;

typedef struct Worker {
  Model* model;
  int number;
  int accepted, refused;
} Worker;

static void check(int code) {
  if (code == THALWEG_OK) return;
  fprintf(stderr, "threads_put: %s\n", thalweg_error_text());
  MPI_Abort(MPI_COMM_WORLD, code);
}

static int has_levels(int field) {
  return field == TEMP || field == HEIGHT;
}

static double value(int field, int step, int64_t z, int64_t y, int64_t x) {
  if (field == HEIGHT) return 100.0 * (double)z + 10.0 * sin((double)(x + y + step));
  if (field == TEMP && (x + 3 * y + step) % 7 == 0) return -999.0; /* missing */
  return sin(1.0 + field + 0.37 * step + 0.11 * (double)(z * 1000 + y * 40 + x)) * (field == FLUX ? 1e3 : 1.0);
}

static void define(Model* model, thalweg_session* io, int ranks, int rank) {
  const int64_t sizes[2] = {NY, NX}, first = NY * rank / ranks, end = NY * (rank + 1) / ranks;
  const int64_t start[2] = {first, 0}, count[2] = {end - first, NX};
  const float missing = -999.0F;
  thalweg_decomposition* plane;
  check(thalweg_decompose(io, "y,x", sizes, 1, start, count, NULL, NULL, 0, &plane));
  check(thalweg_define_field_dimension(io, "z", NZ));
  for (int f = 0; f < FIELDS; ++f)
    check(thalweg_define_field(io, names[f], has_levels(f) ? "z,y,x" : "y,x",
                               f == TEMP ? THALWEG_FLOAT32 : THALWEG_FLOAT64, plane, NULL, f == AREA,
                               &model->fields[f]));
  check(thalweg_define_field_attribute(model->fields[TEMP], "missing_value", THALWEG_FLOAT32, 1, &missing));
  model->first_y = first;
  model->rows = end - first;
  model->blocks = (model->rows / BLOCK_Y) * (NX / BLOCK_X);
}

/* A part of the box. The mask and the weight of some fields are others in each block. */
static int put_block(const Model* model, int field, int64_t block) {
  const int64_t at[3] = {0, block / (NX / BLOCK_X) * BLOCK_Y, block % (NX / BLOCK_X) * BLOCK_X};
  const int64_t extent[3] = {NZ, BLOCK_Y, BLOCK_X};
  const int levels = has_levels(field), plane = 3 - 2 - levels;
  double values[NZ * BLOCK_Y * BLOCK_X];
  float singles[NZ * BLOCK_Y * BLOCK_X];
  int mask[NZ * BLOCK_Y * BLOCK_X];
  int cells = 0;
  for (int64_t z = 0; z < (levels ? NZ : 1); ++z)
    for (int64_t y = 0; y < BLOCK_Y; ++y)
      for (int64_t x = 0; x < BLOCK_X; ++x, ++cells) {
        values[cells] = value(field, field == AREA ? 0 : model->step, z, model->first_y + at[1] + y, at[2] + x);
        singles[cells] = (float)values[cells];
        mask[cells] = (x + y + model->step) % 5 != 0;
      }
  const double weight = 0.25 + (double)((model->first_y / BLOCK_Y + block + model->step) % 4);
  thalweg_put_terms terms = {.start = at + plane};
  if (field == FLUX) terms.weight = &weight;
  if (field == FLUX || field == RAIN) {
    terms.mask = mask;
    terms.mask_type = THALWEG_INT32;
  }
  return thalweg_put_field_on(model->fields[field], 0, &terms, field == TEMP ? (const void*)singles : values,
                              field == TEMP ? THALWEG_FLOAT32 : THALWEG_FLOAT64, 2 + levels, extent + plane, NULL);
}

static void* put_blocks(void* argument) {
  Worker* worker = argument;
  const Model* model = worker->model;
  for (int n = 0; n < FIELDS; ++n) {
    const int field = (n + worker->number * 3) % FIELDS;
    int is_wanted = 0;
    check(thalweg_is_wanted_now(model->fields[field], &is_wanted));
    if (!is_wanted && field != NOBODY) continue;
    for (int64_t block = 0; block < model->blocks; ++block) {
      if ((block * 7 + model->step) % model->threads != worker->number) continue;
      check(put_block(model, field, block));
      if (field == RAIN) check(put_block(model, field, block)); /* which a rule joins */
    }
  }
  return NULL;
}

static void* put_the_same(void* argument) {
  Worker* worker = argument;
  for (int64_t block = 0; block < worker->model->blocks; ++block) {
    const int code = put_block(worker->model, U, block);
    worker->accepted += code == THALWEG_OK;
    worker->refused += code == THALWEG_ERROR_STATE && strstr(thalweg_error_text(), "cells are put twice") != NULL;
  }
  return NULL;
}

/* As a parallel region does: begin, and wait for all. */
static void with_threads(Model* model, void* (*work)(void*)) {
  pthread_t threads[MOST_THREADS];
  Worker workers[MOST_THREADS];
  int accepted = 0, refused = 0;
  for (int t = 0; t < model->threads; ++t) {
    workers[t] = (Worker){model, t, 0, 0};
    if (pthread_create(&threads[t], NULL, work, &workers[t]) != 0) abort();
  }
  for (int t = 0; t < model->threads; ++t) {
    pthread_join(threads[t], NULL);
    accepted += workers[t].accepted;
    refused += workers[t].refused;
  }
  if (work == put_the_same) printf("%d accepted, %d refused\n", accepted, refused);
}

int main(int argc, char** argv) {
  Model model = {.threads = argc > 1 ? atoi(argv[1]) : 1, .is_twice = argc > 2};
  int provided = 0, ranks = 0, rank = 0, is_client = 0;
  thalweg_session* io = NULL;
  MPI_Comm clients;
  if (model.threads < 1 || model.threads > MOST_THREADS) return 2;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  check(thalweg_start(MPI_COMM_WORLD, "thalweg.yaml", &io));
  check(thalweg_is_client(io, &is_client));
  if (is_client) {
    check(thalweg_model_comm(io, &clients));
    MPI_Comm_size(clients, &ranks);
    MPI_Comm_rank(clients, &rank);
    define(&model, io, ranks, rank);
    for (model.step = 0; model.step < STEPS; ++model.step) {
      /* So that collections choose within the first puts. */
      if (model.step > 0) check(thalweg_step(io, 3600.0 * (model.step + 1)));
      with_threads(&model, model.is_twice && model.step == 0 ? put_the_same : put_blocks);
      check(thalweg_advance(io, 3600.0 * (model.step + 1)));
    }
  }
  check(thalweg_finish(&io));
  MPI_Finalize();
  return 0;
}
