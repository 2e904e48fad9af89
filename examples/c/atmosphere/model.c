/* The grid, the exchange of rows, Runge and Kutta's stages, the mean. */
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics.h"

static double* zeros(int64_t count) {
  return calloc((size_t)count, sizeof(double));
}

static double radians(double degrees) {
  return degrees * (PI / 180);
}

/* The latitude of the southern edge of a global row; ny is the north pole, and what lies beyond a pole is the pole. */
static double edge(const Model* m, int64_t j) {
  const int64_t at = j < 0 ? 0 : j > m->ny ? m->ny : j;
  return radians(-90 + at * (180.0 / m->ny));
}

static double middle(const Model* m, int64_t j) {
  const int64_t at = j < 0 ? 0 : j >= m->ny ? m->ny - 1 : j;
  return radians(-90 + (at + 0.5) * (180.0 / m->ny));
}

/* Of the row within the sphere that is nearest. */
static double area_of(const Model* m, int64_t j, double square) {
  const int64_t at = j < 0 ? 0 : j >= m->ny ? m->ny - 1 : j;
  return square * (sin(edge(m, at + 1)) - sin(edge(m, at)));
}

static double corner_of(const Model* m, int64_t j, double square) {
  const double south = j <= 0 ? -1 : sin(middle(m, j - 1)), north = j >= m->ny ? 1 : sin(middle(m, j < 0 ? 0 : j));
  return square * (north - south);
}

static void make_metric(Model* m) {
  const double dlon = 2 * PI / m->nx, square = RADIUS_M * RADIUS_M * dlon;
  m->dy = RADIUS_M * PI / m->ny;
  for (int64_t k = 0; k < m->rows + 2; ++k) {
    const int64_t j = m->first + k - 1;
    m->dx_u[k] = RADIUS_M * dlon * cos(middle(m, j));
    m->dx_v[k] = j <= 0 || j >= m->ny ? 0 : RADIUS_M * dlon * cos(edge(m, j)); /* nothing flows over the poles */
    m->area[k] = area_of(m, j, square);
    m->corner[k] = corner_of(m, j, square);
    m->coriolis[k] = 2 * ROTATION_1_S * sin(edge(m, j));
  }
}

/* What Python does to waves, as weights of the cells around: damping[i] is for the cell that lies i to the west. The
 * first weight is 0 where nothing is damped. */
static void make_filter(Model* m) {
  for (int64_t k = 0; k < m->rows; ++k) {
    const double wide = m->dx_u[k + 1] / (RADIUS_M * 2 * PI / m->nx * cos(radians(60)));
    if (wide >= 1) continue;
    for (int64_t i = 0; i < m->nx; ++i) {
      double sum = 1;
      for (int64_t wave = 1; wave <= m->nx / 2; ++wave) {
        const double factor = fmin(1, wide / sin(wave * PI / m->nx));
        sum += (2 * wave == m->nx ? 1 : 2) * factor * cos(2 * PI * (double)(wave * i % m->nx) / m->nx);
      }
      m->damping[k * m->nx + i] = sum / m->nx;
    }
  }
}

void model_create(Model* m, MPI_Comm comm, int64_t nx, int64_t ny) {
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  *m = (Model){.comm = comm, .nx = nx, .ny = ny, .first = ny * rank / ranks, .last = ny * (rank + 1) / ranks};
  m->rows = m->last - m->first;
  m->south = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  m->north = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  double** columns[] = {&m->dx_u, &m->dx_v, &m->area, &m->corner, &m->coriolis};
  for (int n = 0; n < 5; ++n) *columns[n] = zeros(m->rows + 2);
  double** states[] = {&m->state, &m->before, &m->tendency};
  for (int n = 0; n < 3; ++n) *states[n] = zeros((m->rows + 2) * FIELDS * nx);
  double** works[] = {&m->flux_x,  &m->flux_y,     &m->q,          &m->b,    &m->vorticity,
                      &m->damping, &m->filtered_x, &m->filtered_b, &m->mean, &m->total};
  for (int n = 0; n < 10; ++n) *works[n] = zeros((m->rows + 2) * nx);
  make_metric(m);
  make_filter(m);
}

/* Beyond a pole lies a copy of the last row, which counts for nothing, because the edge between them has no length. */
static void exchange(Model* m) {
  const int cells = (int)(FIELDS * m->nx);
  double *low = m->state, *high = m->state + (m->rows + 1) * cells;
  if (m->south == MPI_PROC_NULL) memcpy(low, low + cells, sizeof(double) * cells);
  if (m->north == MPI_PROC_NULL) memcpy(high, high - cells, sizeof(double) * cells);
  MPI_Sendrecv(high - cells, cells, MPI_DOUBLE, m->north, 0, low, cells, MPI_DOUBLE, m->south, 0, m->comm,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(low + cells, cells, MPI_DOUBLE, m->south, 1, high, cells, MPI_DOUBLE, m->north, 1, m->comm,
               MPI_STATUS_IGNORE);
}

void model_step(Model* m, double dt_s) {
  const int64_t own = FIELDS * m->nx, cells = m->rows * own;
  memcpy(m->before, m->state, sizeof(double) * (cells + 2 * own));
  for (int part = 3; part > 0; --part) {
    exchange(m);
    dynamics(m);
    for (int64_t i = own; i < own + cells; ++i) m->state[i] = m->before[i] + dt_s / part * m->tendency[i];
  }
  for (int64_t k = 1; k <= m->rows; ++k) {
    for (int64_t i = 0; i < m->nx; ++i) m->total[(k - 1) * m->nx + i] += row(m, m->state, k, HEIGHT)[i];
  }
  m->steps += 1;
}

void model_diagnose(Model* m) {
  exchange(m);
  vorticity(m);
  for (int64_t i = 0; i < m->rows * m->nx; ++i) m->mean[i] = m->steps > 0 ? m->total[i] / m->steps : 0;
}

void model_begin_mean(Model* m, double time_s) {
  memset(m->total, 0, sizeof(double) * m->rows * m->nx);
  m->steps = 0;
  m->since_s = time_s;
}

/* Each row is summed by its rank; the sums of all rows are added in one order. */
double model_mass(const Model* m) {
  double* sums = zeros(m->ny);
  for (int64_t k = 1; k <= m->rows; ++k) {
    double* sum = &sums[m->first + k - 1];
    for (int64_t i = 0; i < m->nx; ++i) *sum += row(m, m->state, k, HEIGHT)[i] * m->area[k];
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, (int)m->ny, MPI_DOUBLE, MPI_SUM, m->comm);
  double mass = 0;
  for (int64_t j = 0; j < m->ny; ++j) mass += sums[j];
  free(sums);
  return mass;
}

void model_free(Model* m) {
  double* all[] = {m->dx_u,  m->dx_v,      m->area,       m->corner,     m->coriolis, m->damping,
                   m->state, m->before,    m->tendency,   m->flux_x,     m->flux_y,   m->q,
                   m->b,     m->vorticity, m->filtered_x, m->filtered_b, m->mean,     m->total};
  for (size_t n = 0; n < sizeof(all) / sizeof(*all); ++n) free(all[n]);
}
