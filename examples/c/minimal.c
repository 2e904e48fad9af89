/* The smallest complete program: a field of 12 x 8 cells, cut into bands of rows, three records of it.
 *
 *   mpiexec -n 4 minimal_c [config.yaml]
 */
#include <stdio.h>
#include <stdlib.h>
#include <thalweg.h>
#include <unistd.h>

/* Every call returns 0 or an error code; here an error ends the program with its text. Most errors are all ranks': the
 * first one says it and ends the job while the others wait. */
static void check(int code) {
  if (code == THALWEG_OK) return;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0) sleep(1);
  fprintf(stderr, "minimal_c: %s\n", thalweg_error_text());
  MPI_Abort(MPI_COMM_WORLD, code);
}

/* The model: each rank computes its rows of the field on the communicator of the clients. */
static void run_model(thalweg_session* io) {
  MPI_Comm comm;
  check(thalweg_model_comm(io, &comm));
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);

  const int64_t shape[2] = {12, 8}; /* slowest dimension first: y, x */
  const int64_t start[2] = {shape[0] * rank / ranks, 0};
  const int64_t count[2] = {shape[0] * (rank + 1) / ranks - start[0], shape[1]};
  double* height = malloc(sizeof(double) * count[0] * count[1] + 1);

  thalweg_decomposition* rows;
  thalweg_collection* history;
  check(thalweg_decompose(io, "y,x", shape, 1, start, count, NULL, NULL, 0, &rows));
  check(thalweg_open_collection(io, "history", &history));
  check(thalweg_define_variable(history, "height", "time,y,x", THALWEG_FLOAT32, rows, NULL));
  check(thalweg_define_text(history, "height", "units", "m"));

  for (int record = 1; record <= 3; ++record) {
    for (int64_t i = 0; i < count[0] * count[1]; ++i) height[i] = 1000.0 * record + start[0] * shape[1] + i;
    check(thalweg_put(history, "height", height, THALWEG_FLOAT64, 2, count, NULL)); /* height is free again */
    check(thalweg_advance(io, 3600.0 * record));                                    /* the record is complete */
  }
  free(height);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  thalweg_session* io;
  check(thalweg_start(MPI_COMM_WORLD, argc > 1 ? argv[1] : NULL, &io));
  int is_client; /* 0 on ranks that the configuration makes servers: they come back when all is written */
  check(thalweg_is_client(io, &is_client));
  if (is_client) run_model(io);
  check(thalweg_finish(&io));
  MPI_Finalize();
  return 0;
}
