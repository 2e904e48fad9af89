/* The atmosphere of examples/python/atmosphere in C: the same equations, grid, files and names.
 *
 *   mpiexec -n 4 atmosphere_c CONFIG [DAYS [COLUMNS ROWS STEP_S]]      default: 2 144 72 240
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "output.h"

typedef struct Run {
  double days, step_s;
  int64_t columns, rows;
} Run;

static void run_model(thalweg_session* io, Run run) {
  MPI_Comm comm;
  int rank, ranks;
  check(thalweg_model_comm(io, &comm));
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (run.rows < 2 * ranks) {
    fprintf(stderr, "atmosphere_c: %d rows on %d ranks: each needs 2 or more\n", (int)run.rows, ranks);
    MPI_Abort(comm, 1);
  }
  Model model;
  Output output = {.io = io};
  model_create(&model, comm, run.columns, run.rows);
  model_begin(&model);
  output_define(&output, &model, 0);
  const double mass = model_mass(&model);
  const int64_t steps = llround(run.days * 86400 / run.step_s);
  for (int64_t step = 1; step <= steps; ++step) {
    model_step(&model, run.step_s);
    output_step(&output, &model, step * run.step_s);
  }
  const double change = model_mass(&model) / mass - 1;
  if (rank == 0) printf("day %.2f: mass %+.1e\n", steps * run.step_s / 86400, change);
  model_free(&model);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const Run run = {.days = argc > 2 ? atof(argv[2]) : 2,
                   .columns = argc > 3 ? atoll(argv[3]) : 144,
                   .rows = argc > 4 ? atoll(argv[4]) : 72,
                   .step_s = argc > 5 ? atof(argv[5]) : 240};
  thalweg_session* io;
  check(thalweg_start(MPI_COMM_WORLD, argc > 1 ? argv[1] : NULL, &io));
  int is_client; /* 0 on ranks that the configuration makes servers: they come back when all is written */
  check(thalweg_is_client(io, &is_client));
  if (is_client) run_model(io, run);
  check(thalweg_finish(&io));
  MPI_Finalize();
  return 0;
}
