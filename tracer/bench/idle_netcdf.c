// Functions of netCDF that do nothing, of a variable (time, z, y, x): what is left of the cost of a call is the
// tracer's.
#include <stddef.h>
#include <string.h>

enum { FLOAT = 5, DIMENSIONS = 4 };

int nc_create(const char* path, int mode, int* file) {
  (void)path, (void)mode;
  *file = 1 << 16;
  return 0;
}

int nc_put_vara_float(int file, int variable, const size_t* start, const size_t* count, const float* values) {
  (void)file, (void)variable, (void)start, (void)count, (void)values;
  return 0;
}

int nc_inq_var(int file, int variable, char* name, int* type, int* dimensions, int* ids, int* attributes) {
  (void)file, (void)variable;
  if (name) strcpy(name, "temp");
  if (type) *type = FLOAT;
  if (dimensions) *dimensions = DIMENSIONS;
  for (int i = 0; ids && i < DIMENSIONS; ++i) ids[i] = i;
  if (attributes) *attributes = 0;
  return 0;
}

int nc_inq_unlimdims(int file, int* count, int* ids) {
  (void)file;
  if (count) *count = 1;
  if (ids) ids[0] = 0;
  return 0;
}

int nc_inq_dimname(int file, int dimension, char* name) {
  (void)file;
  name[0] = "tzyx"[dimension];
  name[1] = 0;
  return 0;
}

int nc_inq_dimlen(int file, int dimension, size_t* length) {
  (void)file, (void)dimension;
  *length = 16;
  return 0;
}
