/* The model: shallow water on the rotating sphere, as in examples/python/atmosphere, where the equations are explained.
 * A rank has the rows first to last - 1, and one more row on either side. */
#pragma once
#include <mpi.h>
#include <stdint.h>

#define PI 3.14159265358979323846
#define RADIUS_M 6.37122e6
#define ROTATION_1_S 7.292e-5
#define GRAVITY_M_S2 9.80616

enum { HEIGHT, U, V, FIELDS };

typedef struct Model {
  MPI_Comm comm;
  int64_t nx, ny, first, last, rows;
  int south, north;                                                      /* ranks, or MPI_PROC_NULL */
  double dy;                                                             /* m */
  double *dx_u, *dx_v, *area, *corner, *coriolis;                        /* of each local row */
  double* damping;                                                       /* of each own row: weights of its filter */
  double *state, *before, *tendency;                                     /* [local row][field][column] */
  double *flux_x, *flux_y, *q, *b, *vorticity, *filtered_x, *filtered_b; /* [local row][column] */
  double *mean, *total, steps, since_s;                                  /* own rows: mean height of steps */
} Model;

void model_create(Model* model, MPI_Comm comm, int64_t nx, int64_t ny);
void model_begin(Model* model); /* with the Rossby-Haurwitz wave */
void model_step(Model* model, double dt_s);
void model_diagnose(Model* model); /* vorticity, and the mean of the heights */
void model_begin_mean(Model* model, double time_s);
double model_mass(const Model* model); /* m3, the same on any number of ranks */
void model_free(Model* model);

/* The field in local row k, of which the own ones are 1 to rows. */
static inline double* row(const Model* model, double* state, int64_t k, int field) {
  return state + (k * FIELDS + field) * model->nx;
}
