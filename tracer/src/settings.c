#include "settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "function.h"
#include "system.h"

static const char* const layer_names[LAYER_COUNT] = {"netcdf", "pnetcdf", "hdf5", "mpiio", "posix", "mpi"};
static const char usual_exclusions[] = "/proc/:/sys/:/dev/:/etc/:/usr/:/lib/:/lib64/:/bin/:/sbin/:/run/:/tmp/ompi.";
enum { EVERY_LAYER = (1 << LAYER_COUNT) - 1, USUAL_LAYERS = EVERY_LAYER & ~(1 << LAYER_HDF5) };

static struct Settings settings;
static int is_read;

// As the option --layers has it: names alone are all that is traced, with + or - before the first they change the
// usual.
static uint32_t layers_of(const char* text) {
  uint32_t layers = !*text || *text == '+' || *text == '-' ? USUAL_LAYERS : 0;
  while (*text) {
    const int is_without = *text == '-';
    text += is_without || *text == '+';
    const size_t length = strcspn(text, ",");
    int layer = 0;
    while (layer < LAYER_COUNT && (strlen(layer_names[layer]) != length || strncmp(layer_names[layer], text, length)))
      ++layer;
    if (layer == LAYER_COUNT) {
      char message[256];
      snprintf(message, sizeof message,
               "thalweg trace: THALWEG_TRACE_LAYERS has '%.*s'; allowed are netcdf, pnetcdf, hdf5, mpiio, posix, mpi, "
               "with commas between; it is left out\n",
               (int)length, text);
      complain(message);
    } else {
      layers = is_without ? layers & ~(1u << layer) : layers | 1u << layer;
    }
    text += length + (text[length] == ',');
  }
  if (!layers) complain("thalweg trace: THALWEG_TRACE_LAYERS leaves no layer; nothing is traced\n");
  return layers;
}

static uint64_t limit_of(const char* text) {
  enum { USUAL = 1 << 20, LEAST = 64 };
  char* end = NULL;
  const unsigned long long limit = text ? strtoull(text, &end, 10) : USUAL;
  if (text && (*end || limit < LEAST || limit > UINT32_MAX - 1)) {
    complain("thalweg trace: THALWEG_TRACE_EVENTS must be a number from 64 to 4294967294; 1048576 is taken\n");
    return USUAL;
  }
  return limit;
}

// Before main, when the environment is still what the program was started with.
__attribute__((constructor(101))) static void read_settings(void) {
  if (is_read) return;
  is_read = 1;
  const char* layers = getenv("THALWEG_TRACE_LAYERS");
  const char* excluded = getenv("THALWEG_TRACE_EXCLUDE");
  const char* folder = getenv("THALWEG_TRACE_DIR");
  // The program may change its environment, and its folder: the texts are copied, and the path is whole.
  char whole[PATH_MAX];
  settings.folder = folder && *folder ? strdup(realpath(folder, whole) ? whole : folder) : NULL;
  settings.excluded = strdup(excluded ? excluded : usual_exclusions);
  settings.slot_limit = limit_of(getenv("THALWEG_TRACE_EVENTS"));
  settings.layers = layers ? layers_of(layers) : USUAL_LAYERS;
}

const struct Settings* thw_settings(void) {
  if (!is_read) read_settings();
  return &settings;
}

int thw_is_excluded(const char* path) {
  for (const char* text = thw_settings()->excluded; text && *text;) {
    const size_t length = strcspn(text, ":");
    if (length && strncmp(path, text, length) == 0) return 1;
    text += length + (text[length] == ':');
  }
  return 0;
}
