#include "fields.h"

#include <string.h>

#define HEIGHT_NAME "geopotential_height"
#define VORTICITY_NAME "atmosphere_upward_relative_vorticity"

const char* const places[PLACES] = {"lat,lon", "lat,lon_u", "lat_v,lon", "lat_v,lon_u"};

static const Field history[] = {
    {"height", "time,lat,lon", 0, HEIGHT_NAME, "m", "time: point", NULL},
    {"u", "time,lat,lon_u", 1, "eastward_wind", "m s-1", "time: point", NULL},
    {"v", "time,lat_v,lon", 2, "northward_wind", "m s-1", "time: point", NULL},
    {"vorticity", "time,lat_v,lon_u", 3, VORTICITY_NAME, "s-1", "time: point", NULL},
    {"height_mean", "time,lat,lon", 0, HEIGHT_NAME, "m", "time: mean", NULL},
};

static const Field restart[] = {
    {"height", "time,lat,lon", 0, HEIGHT_NAME, "m", NULL, NULL},
    {"u", "time,lat,lon_u", 1, "eastward_wind", "m s-1", NULL, NULL},
    {"v", "time,lat_v,lon", 2, "northward_wind", "m s-1", NULL, NULL},
    {"height_total", "time,lat,lon", 0, NULL, "m", NULL, "sum of heights"},
    {"total_since", "time", -1, NULL, "s", NULL, "where the sum begins"},
    {"total_steps", "time", -1, NULL, "1", NULL, "steps in the sum"},
};

const File files[FILES] = {
    {"history", THALWEG_FLOAT32, sizeof(history) / sizeof(*history), history},
    {"restart", THALWEG_FLOAT64, sizeof(restart) / sizeof(*restart), restart},
};

void make_axes(const Model* m, Axis axes[AXES]) {
  const double dlat = 180.0 / m->ny, dlon = 360.0 / m->nx;
  const Axis made[AXES] = {
      {"lat", "latitude", "degrees_north", "Y", "middles of cells", m->ny, -90 + 0.5 * dlat, dlat},
      {"lon", "longitude", "degrees_east", "X", "middles of cells", m->nx, 0.5 * dlon, dlon},
      {"lat_v", "latitude", "degrees_north", "Y", "southern edges", m->ny - 1, -90 + dlat, dlat},
      {"lon_u", "longitude", "degrees_east", "X", "western edges", m->nx, 0, dlon},
  };
  memcpy(axes, made, sizeof(made));
}

View view_of(Model* m, const char* name) {
  const int64_t south = m->first == 0 ? 2 : 1; /* the first local row whose southern edge is no pole */
  const int64_t row_bytes = m->nx * (int64_t)sizeof(double), apart = FIELDS * row_bytes;
  if (strcmp(name, "height") == 0) return (View){row(m, m->state, 1, HEIGHT), apart};
  if (strcmp(name, "u") == 0) return (View){row(m, m->state, 1, U), apart};
  if (strcmp(name, "v") == 0) return (View){row(m, m->state, south, V), apart};
  if (strcmp(name, "vorticity") == 0) return (View){m->vorticity + south * m->nx, row_bytes};
  if (strcmp(name, "height_mean") == 0) return (View){m->mean, row_bytes};
  if (strcmp(name, "height_total") == 0) return (View){m->total, row_bytes};
  return (View){strcmp(name, "total_since") == 0 ? &m->since_s : &m->steps, 0};
}

void place_of(const Model* m, int place, int64_t shape[2], int64_t start[2], int64_t count[2]) {
  const int64_t pole = strncmp(places[place], "lat_v", 5) == 0;
  const int64_t first = m->first > 0 ? m->first - pole : 0;
  shape[0] = m->ny - pole;
  start[0] = first;
  count[0] = m->last - pole - first;
  shape[1] = count[1] = m->nx;
  start[1] = 0;
}
