// overhead CALLS BYTES FILE: processor time of CALLS writes of BYTES at the same place of FILE, in ns a call, which
// does not depend on what else the machine does as much as the time that passes. Run with and
// without the tracer, the difference is what an event costs.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "processor_time.h"

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const long calls = atol(arguments[1]);
  const size_t bytes = (size_t)atol(arguments[2]);
  char* buffer = calloc(1, bytes ? bytes : 1);
  const int file = open(arguments[3], O_RDWR | O_CREAT | O_TRUNC, 0644);
  if (!buffer || file < 0) return 1;
  long wrong = 0;
  // A thousand calls before, so that functions are found and names are in the log.
  for (int i = 0; i < 1000; ++i) wrong += pwrite(file, buffer, bytes, 0) != (ssize_t)bytes;
  const double start = processor_time();
  for (long i = 0; i < calls; ++i) wrong += pwrite(file, buffer, bytes, 0) != (ssize_t)bytes;
  printf("%.3f\n", (processor_time() - start) / (double)calls);
  close(file);
  free(buffer);
  return wrong != 0;
}
