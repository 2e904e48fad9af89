// puts CALLS DIMENSIONS: processor time of CALLS writes of netCDF's, in ns a call. Each box lies behind the one before
// along the first dimension, or, of two, along the second too.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "processor_time.h"

int nc_create(const char*, int, int*);
int nc_put_vara_float(int, int, const size_t*, const size_t*, const float*);

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const long calls = atol(arguments[1]);
  const size_t along_second = atol(arguments[2]) > 1;
  const size_t counts[4] = {1, 2, 2, 4};
  static const float values[16];
  size_t start[4] = {0, 0, 0, 0};
  int file = 0;
  long wrong = nc_create("puts.nc", 0, &file) != 0;
  for (int i = 0; i < 1000; ++i) wrong += nc_put_vara_float(file, 0, start, counts, values) != 0;
  const double begin = processor_time();
  for (long i = 0; i < calls; ++i) {
    start[0] = (size_t)i;
    start[1] = along_second * (size_t)i;
    wrong += nc_put_vara_float(file, 0, start, counts, values) != 0;
  }
  printf("%.3f\n", (processor_time() - begin) / (double)calls);
  return wrong != 0;
}
