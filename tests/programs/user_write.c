/* user_write [FAIL]: writes a collection of the format "user"; its procedure keeps all that it is given as text, one
 * event a line of events.<rank>, and fails at the record FAIL. With THALWEG_TEST_REGISTER it is known before the
 * session starts, as servers need it. The model's cells are a linked list, packed into an array for each put. The
 * configuration is thalweg.yaml; tests/support/user_events.py knows the values. */
#include <stdio.h>
#include <stdlib.h>
#include <thalweg.h>

enum { NZ = 3, NY = 128, NX = 130, LAND = 2, RECORDS = 5, SECOND_FILE = 3, MASKED = NX - LAND };

typedef struct Cell {
  int64_t index; /* in the whole field */
  struct Cell* next;
} Cell;

typedef struct Output {
  FILE* file;
  int fail; /* record, or -1 */
} Output;

static void check(int code) {
  if (code == THALWEG_OK) return;
  fprintf(stderr, "user_write: %s\n", thalweg_error_text());
  MPI_Abort(MPI_COMM_WORLD, code);
}

static double value(int variable, int64_t record, int64_t index) {
  return (double)((variable * 1000003 + record * 7919 + index * 31) % 16777213);
}

static int64_t keep_list(FILE* file, const int64_t* values, int count) {
  int64_t product = 1;
  for (int d = 0; d < count; ++d) {
    fprintf(file, "%s%lld", d > 0 ? "," : " ", (long long)values[d]);
    product *= values[d];
  }
  if (count == 0) fprintf(file, " -");
  return product;
}

static int keep(const thalweg_block* block, void* user) {
  const int64_t bytes[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
  const Output* output = user;
  FILE* file = output->file;
  fprintf(file, "%d %s %s %s %lld %lld %.1f %d", block->event, block->collection, block->file,
          block->variable ? block->variable : "-", (long long)block->record, (long long)block->record_in_file,
          block->time_s, block->type);
  keep_list(file, block->start, block->rank);
  const int64_t cells = keep_list(file, block->count, block->rank);
  keep_list(file, block->shape, block->rank);
  keep_list(file, block->stride, block->rank);
  fprintf(file, " %llu ", (unsigned long long)block->checksum);
  if (block->event == THALWEG_EVENT_BLOCK) {
    for (int64_t i = 0; i < cells * bytes[block->type]; ++i)
      fprintf(file, "%02x", ((const unsigned char*)block->data)[i]);
  } else {
    fprintf(file, "-");
  }
  fprintf(file, "\n");
  fflush(file);
  return block->event == THALWEG_EVENT_RECORD && block->record == output->fail ? 7 : 0;
}

/* ---- the model: its rows of the field as a linked list, without the last columns, which are land */

static Cell* add_cells(int64_t level, int64_t begin, int64_t end, Cell* next) {
  for (int64_t j = end - 1; j >= begin; --j) {
    for (int64_t i = MASKED - 1; i >= 0; --i) {
      Cell* cell = malloc(sizeof *cell);
      *cell = (Cell){(level * NY + j) * NX + i, next};
      next = cell;
    }
  }
  return next;
}

/* The list as the array that thalweg_put takes; the array is free again when that has returned. */
static void pack(const Cell* cell, int variable, int64_t record, double* array) {
  for (; cell; cell = cell->next) *array++ = value(variable, record, cell->index);
}

static void pack_integers(const Cell* cell, int variable, int32_t* array) {
  for (; cell; cell = cell->next) *array++ = (int32_t)value(variable, 0, cell->index);
}

static void drop(Cell* cell) {
  while (cell) {
    Cell* next = cell->next;
    free(cell);
    cell = next;
  }
}

static void write_records(thalweg_session* io, thalweg_collection* history, int64_t begin, int64_t rows) {
  const int64_t extent[3] = {NZ, rows, MASKED};
  Cell* surface = add_cells(0, begin, begin + rows, NULL);
  Cell* volume =
      add_cells(0, begin, begin + rows, add_cells(1, begin, begin + rows, add_cells(2, begin, begin + rows, NULL)));
  double* array = malloc(sizeof(double) * NZ * rows * MASKED + 1);
  pack_integers(surface, 0, (int32_t*)array);
  check(thalweg_put(history, "depth", array, THALWEG_INT32, 2, extent + 1, NULL));
  for (int64_t record = 0; record < RECORDS; ++record) {
    if (record == SECOND_FILE) check(thalweg_new_file(history, "second"));
    pack(volume, 1, record, array);
    check(thalweg_put(history, "temp", array, THALWEG_FLOAT64, 3, extent, NULL));
    pack(surface, 2, record, array);
    check(thalweg_put(history, "wide", array, THALWEG_FLOAT64, 2, extent + 1, NULL));
    const double mean = value(3, record, 0);
    check(thalweg_put(history, "mean", &mean, THALWEG_FLOAT64, 0, NULL, NULL));
    check(thalweg_advance(io, 600.0 * (double)(record + 1)));
  }
  check(thalweg_wait(io));
  free(array);
  drop(volume);
  drop(surface);
}

/* output: of the procedure, if it is set here. */
static void run_model(thalweg_session* io, Output* output) {
  MPI_Comm clients;
  check(thalweg_model_comm(io, &clients));
  int rank, ranks;
  MPI_Comm_rank(clients, &rank);
  MPI_Comm_size(clients, &ranks);
  thalweg_decomposition* cells;
  thalweg_collection* history;
  const int64_t shape[2] = {NY, NX}, start[2] = {NY * rank / ranks, 0};
  const int64_t count[2] = {NY * (rank + 1) / ranks - start[0], MASKED};
  check(thalweg_decompose(io, "y,x", shape, 1, start, count, NULL, NULL, 1, &cells));
  check(thalweg_open_collection(io, "history", &history));
  check(thalweg_define_dimension(history, "z", NZ));
  check(thalweg_define_variable(history, "depth", "y,x", THALWEG_INT32, cells, NULL));
  check(thalweg_define_variable(history, "temp", "time,z,y,x", THALWEG_FLOAT32, cells, NULL));
  check(thalweg_define_variable(history, "wide", "time,y,x", THALWEG_FLOAT64, cells, NULL));
  check(thalweg_define_variable(history, "mean", "time", THALWEG_FLOAT64, NULL, NULL));
  if (output && getenv("THALWEG_TEST_NO_PROCEDURE") == NULL) check(thalweg_set_procedure(history, keep, output));
  check(thalweg_ready(io));
  write_records(io, history, start[0], count[0]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char name[32];
  snprintf(name, sizeof name, "events.%d", rank);
  Output output = {fopen(name, "w"), argc > 1 ? atoi(argv[1]) : -1};

  const int registers = getenv("THALWEG_TEST_REGISTER") != NULL;
  if (registers) check(thalweg_register_procedure("history", keep, &output));
  thalweg_session* io;
  check(thalweg_start(MPI_COMM_WORLD, "thalweg.yaml", &io));
  int is_client;
  check(thalweg_is_client(io, &is_client));
  if (is_client) run_model(io, registers ? NULL : &output);
  check(thalweg_finish(&io));
  fclose(output.file);
  MPI_Finalize();
  return 0;
}
