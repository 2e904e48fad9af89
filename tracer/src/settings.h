// The environment: THALWEG_TRACE_DIR, …_LAYERS, …_EVENTS, …_EXCLUDE.
#pragma once

#include <stdint.h>

struct Settings {
  const char* folder;  // null: nothing is traced
  uint32_t layers;     // a bit each
  uint64_t slot_limit;
  const char* excluded;  // beginnings of paths, with colons between
};

const struct Settings* thw_settings(void);
int thw_is_excluded(const char* path);
