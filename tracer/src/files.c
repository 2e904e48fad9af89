#include "files.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names.h"
#include "settings.h"
#include "system.h"

// A descriptor that was opened where no wrapper sees it, by another program or within the C library.
static void look_up(int number, struct Descriptor* place) {
  struct stat about;
  char link[64], path[4096];
  place->state = DESCRIPTOR_IGNORED;
  if (fstat(number, &about) != 0) {
    place->state = DESCRIPTOR_UNKNOWN;
    return;
  }
  if (!S_ISREG(about.st_mode)) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", number);
  const long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = 0;
  if (path[0] != '/' || thw_is_excluded(path)) return;
  place->file = thw_name(path);
  place->has_position = 0;
  place->state = DESCRIPTOR_TRACED;
}

struct Descriptor* thw_descriptor(int number) {
  if (number < 0 || number >= DESCRIPTORS) return NULL;
  struct Descriptor* place = &thw_state()->descriptors[number];
  if (place->state == DESCRIPTOR_UNKNOWN) look_up(number, place);
  return place->state == DESCRIPTOR_TRACED ? place : NULL;
}

void thw_descriptor_opened(int number, uint32_t file, int is_traced, int is_appending) {
  if (number < 0 || number >= DESCRIPTORS) return;
  struct Descriptor* place = &thw_state()->descriptors[number];
  place->file = file;
  place->position = 0;
  place->has_position = !is_appending;
  place->state = is_traced ? DESCRIPTOR_TRACED : DESCRIPTOR_IGNORED;
}

void thw_descriptor_closed(int number) {
  if (number >= 0 && number < DESCRIPTORS) thw_state()->descriptors[number].state = DESCRIPTOR_UNKNOWN;
}

void thw_descriptors_closed(void) {
  for (int i = 0; i < DESCRIPTORS; ++i) {
    struct Descriptor* place = &thw_state()->descriptors[i];
    if (place->state != DESCRIPTOR_UNKNOWN) place->state = DESCRIPTOR_UNKNOWN;
  }
}

static uint32_t place_of(uint8_t kind, long value) {
  const uint64_t mixed = ((uint64_t)value ^ (uint64_t)kind << 56) * 0x9e3779b97f4a7c15u;
  return (uint32_t)(mixed >> 40) % HANDLE_PLACES;
}

struct Handle* thw_handle(uint8_t kind, long value) {
  struct Handle* handles = thw_state()->handles;
  const uint32_t first = place_of(kind, value);
  for (uint32_t i = 0; i < 64; ++i) {
    struct Handle* place = &handles[(first + i) % HANDLE_PLACES];
    if (place->kind == kind && place->value == value) return place;
  }
  return NULL;
}

// Where 64 places are taken, the first is given up: its file is then not known any more.
void thw_handle_made(uint8_t kind, long value, uint32_t file, uint32_t variable) {
  struct State* state = thw_state();
  const uint32_t first = place_of(kind, value);
  struct Quiet quiet;
  lock_tables(state, &quiet);
  struct Handle* taken = thw_handle(kind, value);
  for (uint32_t i = 0; !taken && i < 64; ++i)
    if (!state->handles[(first + i) % HANDLE_PLACES].kind) taken = &state->handles[(first + i) % HANDLE_PLACES];
  if (!taken) taken = &state->handles[first];
  *taken = (struct Handle){.value = value, .file = file, .variable = variable, .kind = kind};
  unlock_tables(state, &quiet);
}

void thw_handle_closed(uint8_t kind, long value) {
  struct Handle* place = thw_handle(kind, value);
  if (place) place->kind = 0;
}
