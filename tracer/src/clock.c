#include "clock.h"

#include <string.h>

#include "log.h"

enum { LEAST_NS = 50000 };                             // between two times by which a rate is found
enum { FIRST_NOTED = 1 << 18, NOTED_EACH = 1 << 28 };  // counts: some 0.1 ms, and 0.1 s

// The kernel takes it for its own clock where it goes on at one rate, and is the same on all processors.
static int is_trusted(void) {
#ifdef __x86_64__
  char name[16] = "";
  const int file = system_open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY);
  if (file < 0) return 0;
  const long length = system_read(file, name, sizeof name - 1);
  system_close(file);
  return length >= 4 && memcmp(name, "tsc\n", 4) == 0;
#else
  return 0;
#endif
}

// A reading that was interrupted between the two would set them apart.
static struct TimePair read_pair(void) {
  struct TimePair best = {0, 0};
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 3; ++i) {
    const uint64_t before = read_counter(), ns = now_ns(), after = read_counter();
    if (after - before >= least) continue;
    least = after - before;
    best = (struct TimePair){before + least / 2, ns};
  }
  return best;
}

// How fast it counts has to be known even of a process that is killed at once.
void thw_clock_begin(struct State* state) {
  if (!is_trusted()) return;
  struct Header* header = state->header;
  header->first_time = read_pair();
  do {
    header->last_times[0] = read_pair();
  } while (header->last_times[0].ns - header->first_time.ns < LEAST_NS);
  header->clock = CLOCK_COUNTER;
  state->noted = header->last_times[0].count;
  state->note_after = FIRST_NOTED;
  state->reads_counter = 1;
}

// The one that is not in use is written, so that a process that is killed meanwhile leaves the other one.
void thw_clock_note(struct State* state) {
  if (!state->reads_counter || atomic_flag_test_and_set_explicit(&state->noting, memory_order_acquire)) return;
  struct Header* header = state->header;
  const uint32_t next = 1 - (header->last_time & 1);
  header->last_times[next] = read_pair();
  atomic_signal_fence(memory_order_release);
  header->last_time = next;
  state->noted = header->last_times[next].count;
  if (state->note_after < NOTED_EACH) state->note_after *= 2;
  atomic_flag_clear_explicit(&state->noting, memory_order_release);
}
