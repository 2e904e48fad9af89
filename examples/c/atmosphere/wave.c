/* The Rossby-Haurwitz wave with four crests: test 6 of Williamson et al. (1992, J. Comput. Phys. 102, 211-224). */
#include <math.h>

#include "model.h"

static const double K = 7.848e-6; /* 1/s: the strength of the wave, and of the rotation that carries it */

static double wind_u(double lat, double lon) {
  const double c = cos(lat), s = sin(lat);
  return RADIUS_M * K * (c + c * c * c * (4 * s * s - c * c) * cos(4 * lon));
}

static double wind_v(double lat, double lon) {
  const double c = cos(lat);
  return -RADIUS_M * K * 4 * c * c * c * sin(lat) * sin(4 * lon);
}

static double height(double lat, double lon) {
  const double c2 = cos(lat) * cos(lat), c4 = c2 * c2, c8 = c4 * c4;
  const double constant = K / 2 * (2 * ROTATION_1_S + K) * c2 + K * K / 4 * c8 * (5 * c2 + 26 - 32 / c2);
  const double once = 2 * (ROTATION_1_S + K) * K / 30 * c4 * (26 - 25 * c2);
  const double twice = K * K / 4 * c8 * (5 * c2 - 6);
  return 8000 + RADIUS_M * RADIUS_M / GRAVITY_M_S2 * (constant + once * cos(4 * lon) + twice * cos(8 * lon));
}

void model_begin(Model* m) {
  const double dlat = PI / m->ny, dlon = 2 * PI / m->nx;
  for (int64_t k = 1; k <= m->rows; ++k) {
    const double edge = -PI / 2 + (m->first + k - 1) * dlat;
    for (int64_t i = 0; i < m->nx; ++i) {
      row(m, m->state, k, HEIGHT)[i] = height(edge + dlat / 2, (i + 0.5) * dlon);
      row(m, m->state, k, U)[i] = wind_u(edge + dlat / 2, i * dlon);
      row(m, m->state, k, V)[i] = m->dx_v[k] > 0 ? wind_v(edge, (i + 0.5) * dlon) : 0;
    }
  }
}
