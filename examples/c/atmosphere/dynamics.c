/* Sadourny's energy-conserving scheme; the same steps in the same order as in Python. */
#include "dynamics.h"

static int64_t west(const Model* m, int64_t i) {
  return i == 0 ? m->nx - 1 : i - 1;
}
static int64_t east(const Model* m, int64_t i) {
  return i == m->nx - 1 ? 0 : i + 1;
}

void vorticity(Model* m) {
  for (int64_t k = 1; k < m->rows + 2; ++k) {
    const double *u = row(m, m->state, k, U), *below = row(m, m->state, k - 1, U), *v = row(m, m->state, k, V);
    for (int64_t i = 0; i < m->nx; ++i) {
      const double around = m->dy * (v[i] - v[west(m, i)]) + m->dx_u[k - 1] * below[i] - m->dx_u[k] * u[i];
      m->vorticity[k * m->nx + i] = around / m->corner[k];
    }
  }
}

/* Through western edges of row k, and through southern edges but for the first row. */
static void fluxes(Model* m, int64_t k) {
  const double *h = row(m, m->state, k, HEIGHT), *u = row(m, m->state, k, U), *v = row(m, m->state, k, V);
  for (int64_t i = 0; i < m->nx; ++i) m->flux_x[k * m->nx + i] = 0.5 * (h[west(m, i)] + h[i]) * u[i] * m->dy;
  if (k == 0) return;
  const double* below = row(m, m->state, k - 1, HEIGHT);
  for (int64_t i = 0; i < m->nx; ++i) m->flux_y[k * m->nx + i] = 0.5 * (below[i] + h[i]) * v[i] * m->dx_v[k];
}

static void potential_vorticity(Model* m, int64_t k) {
  const double *h = row(m, m->state, k, HEIGHT), *below = row(m, m->state, k - 1, HEIGHT);
  for (int64_t i = 0; i < m->nx; ++i) {
    const int64_t w = west(m, i);
    const double pairs = (below[w] + below[i]) * m->area[k - 1] + (h[w] + h[i]) * m->area[k];
    const double height = 0.5 * pairs / (m->area[k - 1] + m->area[k]);
    m->q[k * m->nx + i] = (m->coriolis[k] + m->vorticity[k * m->nx + i]) / height;
  }
}

static void bernoulli(Model* m, int64_t k) {
  const double *h = row(m, m->state, k, HEIGHT), *u = row(m, m->state, k, U);
  const double *v = row(m, m->state, k, V), *above = row(m, m->state, k + 1, V);
  const double around_u = m->dx_u[k] * m->dy, south = m->dx_v[k] * m->dy, north = m->dx_v[k + 1] * m->dy;
  for (int64_t i = 0; i < m->nx; ++i) {
    const double next = u[east(m, i)];
    const double twice = (u[i] * u[i] + next * next) * around_u + v[i] * v[i] * south + above[i] * above[i] * north;
    m->b[k * m->nx + i] = GRAVITY_M_S2 * h[i] + 0.25 * twice / m->area[k];
  }
}

/* What moves along the circle of latitude, without the short waves near the poles. */
static void filter(const Model* m, int64_t k, const double* from, double* to) {
  const double* weights = m->damping + (k - 1) * m->nx;
  for (int64_t i = 0; i < m->nx; ++i) {
    to[i] = from[i];
    if (weights[0] == 0) continue;
    to[i] = 0;
    for (int64_t n = 0; n < m->nx; ++n) to[i] += weights[n] * from[i >= n ? i - n : i - n + m->nx];
  }
}

static void filtered(Model* m, int64_t k) {
  double* gradient = m->tendency; /* its first row is not used otherwise */
  const double* b = m->b + k * m->nx;
  for (int64_t i = 0; i < m->nx; ++i) gradient[i] = b[i] - b[west(m, i)];
  filter(m, k, gradient, m->filtered_b + k * m->nx);
  filter(m, k, m->flux_x + k * m->nx, m->filtered_x + k * m->nx);
}

static void change(Model* m, int64_t k) {
  const int64_t nx = m->nx, at = k * nx, above = at + nx, below = at - nx;
  const double *fx = m->flux_x, *fy = m->flux_y, *q = m->q;
  for (int64_t i = 0; i < nx; ++i) {
    const int64_t w = west(m, i), e = east(m, i);
    const double out = m->filtered_x[at + e] - m->filtered_x[at + i] + fy[above + i] - fy[at + i];
    const double turned_south = q[at + i] * 0.5 * (fy[at + w] + fy[at + i]);
    const double turned_north = q[above + i] * 0.5 * (fy[above + w] + fy[above + i]);
    const double turned_west = q[at + i] * 0.5 * (fx[below + i] + fx[at + i]);
    const double turned_east = q[at + e] * 0.5 * (fx[below + e] + fx[at + e]);
    const double slope = 0.5 * (turned_west + turned_east) + m->b[at + i] - m->b[below + i];
    row(m, m->tendency, k, HEIGHT)[i] = -out / m->area[k];
    row(m, m->tendency, k, U)[i] = (0.5 * (turned_south + turned_north) - m->filtered_b[at + i]) / m->dx_u[k];
    row(m, m->tendency, k, V)[i] = m->dx_v[k] > 0 ? -slope / m->dy : 0;
  }
}

void dynamics(Model* m) {
  vorticity(m);
  for (int64_t k = 0; k < m->rows + 2; ++k) fluxes(m, k);
  for (int64_t k = 1; k < m->rows + 2; ++k) potential_vorticity(m, k);
  for (int64_t k = 0; k < m->rows + 1; ++k) bernoulli(m, k);
  for (int64_t k = 1; k <= m->rows; ++k) filtered(m, k);
  for (int64_t k = 1; k <= m->rows; ++k) change(m, k);
}
