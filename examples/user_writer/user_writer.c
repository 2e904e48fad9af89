/* A format of one's own: what Thalweg has gathered goes to a procedure of the model, which writes it as it likes; here
 * as raw arrays, one file a variable and record. The writer's thread runs it while the model computes.
 *
 *   mpiexec -n 4 user_writer_c
 */
#include <stdio.h>
#include <stdlib.h>
#include <thalweg.h>

static void check(int code) {
  if (code == THALWEG_OK) return;
  fprintf(stderr, "user_writer_c: %s\n", thalweg_error_text());
  MPI_Abort(MPI_COMM_WORLD, code);
}

/* Runs on the writer: no MPI, no Thalweg. A value other than 0 ends the output with an error that names it. */
static int write_raw(const thalweg_block* block, void* user) {
  (void)user;
  if (block->event != THALWEG_EVENT_BLOCK) return 0; /* BEGIN, RECORD and END have nothing to write here */
  char name[256];
  snprintf(name, sizeof name, "%s.%s.%lld", block->file, block->variable, (long long)block->record);
  FILE* file = fopen(name, "wb");
  if (!file) return 1;
  const size_t cells = (size_t)(block->count[0] * block->count[1]); /* without gaps, last dimension fastest */
  const size_t done = fwrite(block->data, sizeof(float), cells, file);
  return fclose(file) == 0 && done == cells ? 0 : 2;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int64_t shape[2] = {12, 8}, start[2] = {12 * rank / ranks, 0};
  const int64_t count[2] = {12 * (rank + 1) / ranks - start[0], 8};

  thalweg_session* io;
  thalweg_decomposition* rows;
  thalweg_collection* raw;
  check(thalweg_start_text(MPI_COMM_WORLD, "report: none\ncollections: {raw: {format: user}}\n", NULL, &io));
  check(thalweg_decompose(io, "y,x", shape, 1, start, count, NULL, NULL, 0, &rows));
  check(thalweg_open_collection(io, "raw", &raw));
  check(thalweg_define_variable(raw, "height", "time,y,x", THALWEG_FLOAT32, rows, NULL));
  check(thalweg_set_procedure(raw, write_raw, NULL));
  float height[96];
  for (int record = 0; record < 3; ++record) {
    for (int64_t i = 0; i < count[0] * count[1]; ++i) height[i] = (float)(1000 * record + start[0] * 8 + i);
    check(thalweg_put(raw, "height", height, THALWEG_FLOAT32, 2, count, NULL));
    check(thalweg_advance(io, 3600.0 * (record + 1)));
  }
  check(thalweg_finish(&io));
  MPI_Finalize();
  return 0;
}
