// The clock of events: the processor's counter where the kernel itself tells the time by it, because to ask for the
// time is a third of what an event costs; elsewhere nanoseconds. The log's header says how the two go together.
#pragma once

#include <stdint.h>

#include "state.h"
#include "system.h"

#ifdef __x86_64__
#include <x86intrin.h>
static inline uint64_t read_counter(void) {
  return __rdtsc();
}
#else
static inline uint64_t read_counter(void) {
  return 0;
}
#endif

static inline uint64_t thw_clock(const struct State* state) {
  return state->reads_counter ? read_counter() : now_ns();
}

// Of a log that is made.
void thw_clock_begin(struct State* state);

// Notes the time beside the counter: at first soon and then more seldom, so that what is read of a log whose process
// was killed is exact near its end.
void thw_clock_note(struct State* state);
static inline void thw_clock_passed(struct State* state, uint64_t now) {
  if (state->reads_counter && now - state->noted > state->note_after) thw_clock_note(state);
}
