#include "names.h"

#include <stdio.h>
#include <string.h>

#include "log.h"
#include "settings.h"
#include "state.h"
#include "system.h"

static uint64_t hash_of(const char* text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *text; ++text) hash = (hash ^ (uint8_t)*text) * 0x100000001b3u;
  return hash ? hash : 1;
}

// Parts are marked as names one by one: a process that is killed in between leaves a name that is cut, which shows.
static int write_name(const char* text, uint32_t id) {
  const size_t length = strlen(text);
  size_t at = 0;
  for (uint16_t part = 0; part == 0 || at < length; ++part) {
    uint32_t number;
    struct NamePart* slot = (struct NamePart*)thw_log_slot(&number);
    if (!slot) return 0;
    const size_t bytes = length - at < sizeof slot->text ? length - at : sizeof slot->text;
    memcpy(slot->text, text + at, bytes);
    at += bytes;
    slot->flags = at == length ? FLAG_LAST_PART : 0;
    slot->part = part;
    slot->id = id;
    slot->kind = SLOT_NAME;
    slot->check = thw_slot_check((struct Slot*)slot);
  }
  return 1;
}

// The number of the name that this hash stands for, or 0: the place is taken by another.
static NEVER_INLINE uint32_t number_at(struct NamePlace* place, uint64_t hash, const char* text) {
  struct State* state = thw_state();
  uint64_t found = atomic_load_explicit(&place->hash, memory_order_acquire);
  uint32_t id = 0;
  if (found == 0) {
    struct Quiet quiet;
    thw_quiet_begin(&quiet);
    if (atomic_compare_exchange_strong(&place->hash, &found, hash)) {
      id = atomic_fetch_add(&state->name_count, 1) + 1;
      if (!write_name(text, id)) __atomic_fetch_add(&state->header->names_dropped, 1, __ATOMIC_RELAXED);
      atomic_store_explicit(&place->id, id, memory_order_release);
    }
    thw_quiet_end(&quiet);
  }
  if (found != hash) return id;
  while (!(id = atomic_load_explicit(&place->id, memory_order_acquire))) {
  }
  return id;
}

uint32_t thw_name(const char* text) {
  if (!text) return 0;
  struct State* state = thw_state();
  const uint64_t hash = hash_of(text);
  for (uint32_t i = 0; i < NAME_PLACES / 4; ++i) {
    const uint32_t id = number_at(&state->names[(hash + i) % NAME_PLACES], hash, text);
    if (id) return id;
  }
  __atomic_fetch_add(&state->header->names_dropped, 1, __ATOMIC_RELAXED);
  return 0;
}

int thw_whole_path(const char* path, char* into, uint32_t bytes) {
  // ROMIO is told the kind of the file system before the name: two letters or more, so that no drive is meant.
  const char* colon = strchr(path, ':');
  if (colon && colon - path >= 2 && !memchr(path, '/', (size_t)(colon - path))) path = colon + 1;
  while (path[0] == '.' && path[1] == '/') path += 2;
  size_t used = 0;
  if (path[0] != '/') {
    const long length = syscall(SYS_getcwd, into, bytes);
    used = length > 1 ? (size_t)length - 1 : 0;
    if (used == 1) used = 0;  // the root
    if (used + 1 < bytes) into[used++] = '/';
  }
  snprintf(into + used, bytes - used, "%s", path);
  return !thw_is_excluded(into);
}
