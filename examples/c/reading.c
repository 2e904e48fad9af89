/* Reads the last record of what minimal_c has written, with a halo, and goes on from there in again.nc.
 *
 *   mpiexec -n 4 reading_c
 */
#include <stdio.h>
#include <stdlib.h>
#include <thalweg.h>

static void check(int code) {
  if (code == THALWEG_OK) return;
  fprintf(stderr, "reading_c: %s\n", thalweg_error_text());
  MPI_Abort(MPI_COMM_WORLD, code);
}

/* This rank's rows, in an array with the halo that they were declared with. */
static void read_height(thalweg_session* io, const thalweg_decomposition* rows, double* height, const int64_t* extent) {
  thalweg_input* before;
  int64_t records;
  check(thalweg_open_input(io, "history.nc", &before));
  check(thalweg_input_records(before, &records));
  check(thalweg_declare_input(before, "height", "time,y,x", rows, NULL, "x"));
  check(thalweg_get(before, "height", records - 1, height, THALWEG_FLOAT64, 2, extent, NULL));
  check(thalweg_close_input(&before));
}

static void run_model(thalweg_session* io) {
  MPI_Comm comm;
  check(thalweg_model_comm(io, &comm));
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);

  const int64_t shape[2] = {12, 8}, halo[2] = {1, 1};
  const int64_t start[2] = {shape[0] * rank / ranks, 0};
  const int64_t count[2] = {shape[0] * (rank + 1) / ranks - start[0], shape[1]};
  const int64_t extent[2] = {count[0] + 2, count[1] + 2};
  double* height = calloc(extent[0] * extent[1], sizeof(double));

  thalweg_decomposition* rows;
  thalweg_collection* again;
  check(thalweg_decompose(io, "y,x", shape, 1, start, count, halo, halo, 0, &rows));
  read_height(io, rows, height, extent);

  check(thalweg_open_collection(io, "again", &again));
  check(thalweg_define_variable(again, "height", "time,y,x", THALWEG_FLOAT64, rows, NULL));
  check(thalweg_put(again, "height", height, THALWEG_FLOAT64, 2, extent, NULL));
  check(thalweg_advance(io, 3600.0));
  free(height);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  thalweg_session* io;
  int is_client;
  check(thalweg_start(MPI_COMM_WORLD, NULL, &io));
  check(thalweg_is_client(io, &is_client));
  if (is_client) run_model(io);
  check(thalweg_finish(&io));
  MPI_Finalize();
  return 0;
}
