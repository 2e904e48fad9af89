/* What the libraries for LD_PRELOAD share. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The number in a variable of the environment; 0 without it. */
static inline long setting(const char* name) {
  const char* text = getenv(name);
  return text == NULL ? 0 : atol(text);
}

/* The path of an open file as the kernel knows it now, or "". Path: room for 4096 characters. */
static inline void path_of(int fd, char* path) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, 4095);
  path[length < 0 ? 0 : length] = '\0';
}
