/* Each rank holds two rows of six cells and writes two records of them. */
#include <stdio.h>
#include <thalweg.h>

static void check(int code) {
  if (code == THALWEG_OK) return;
  fprintf(stderr, "%s\n", thalweg_error_text());
  MPI_Abort(MPI_COMM_WORLD, code);
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  thalweg_session* session;
  thalweg_decomposition* cells;
  thalweg_collection* history;
  const int64_t shape[] = {2 * size, 6}, start[] = {2 * rank, 0}, count[] = {2, 6};
  check(thalweg_start(MPI_COMM_WORLD, NULL, &session));
  check(thalweg_decompose(session, "y,x", shape, 1, start, count, NULL, NULL, 0, &cells));
  check(thalweg_open_collection(session, "history", &history));
  check(thalweg_define_variable(history, "temp", "time,y,x", THALWEG_FLOAT32, cells, NULL));
  for (int record = 1; record <= 2; ++record) {
    float temp[2][6];
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 6; ++i) temp[j][i] = 100 * record + 6 * (2 * rank + j) + i;
    check(thalweg_put(history, "temp", temp, THALWEG_FLOAT32, 2, count, NULL));
    check(thalweg_advance(session, 3600.0 * record));
  }
  check(thalweg_finish(&session));
  MPI_Finalize();
  return 0;
}
