#include "call.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "clock.h"
#include "counter.h"
#include "effects.h"
#include "facts.h"
#include "log.h"
#include "resolve.h"
#include "settings.h"
#include "sizes.h"
#include "state.h"
#include "system.h"

enum { IO_LAYERS = (1 << LAYER_MPI) - 1 };

// All that a thread has of its own: few bytes, because the room for such memory is small and others need it.
struct Thread {
  void* log;  // that the rest is about
  void* frame;
  void* asking;  // the call for which a library is asked: its own calls are the tracer's
  uint32_t number;
  uint16_t id;
  uint8_t layers;
};
static __thread struct Thread self __attribute__((tls_model("initial-exec")));

// What a thread knows is of its own log: a child that was forked begins anew. A call that was left by longjmp, an
// exception or the end of a thread is not left regularly: its frame is then below that of a later call.
static void tidy(const struct Call* call) {
  struct State* state = thw_state();
  if (self.log != state->header) {
    self.log = state->header;
    self.frame = NULL;
    self.id = (uint16_t)atomic_fetch_add(&state->threads, 1);
  }
  if (!self.frame || self.frame <= (const void*)call) {
    self.frame = NULL;
    self.number = 0;
    self.layers = 0;
  }
}

static void start_event(struct Call* call) {
  struct Slot* slot = thw_log_slot(&call->number);
  call->start = thw_clock(thw_state());
  if (!slot) return;
  slot->start = call->start;
  slot->parent = call->outer_number;
  slot->file = call->file;
  slot->variable = call->variable;
  slot->offset = -1;
  slot->thread = self.id;
  thw_log_row(call->index, &slot->row);
  slot->kind = SLOT_STARTED;
  slot->check = thw_slot_check(slot);
}

static void begin(struct Call* call, unsigned index, const long* words) {
  const struct Function* function = &thw_functions[index];
  tidy(call);
  call->index = (uint16_t)index;
  call->log = self.log;
  call->file = call->variable = call->number = 0;
  call->outer_frame = self.frame;
  call->outer_number = self.number;
  call->outer_layers = self.layers;
  const int following = thw_before(function, call, words);
  if (following == FOLLOW_NOT) return;
  call->is_followed = 1;
  call->is_silent = following == FOLLOW_SILENTLY;
  if (call->is_silent) return;
  if (function->var_role.kind != VAR_NONE) {
    self.asking = call;
    call->variable = thw_variable_name(function, call, words);
    self.asking = NULL;
  }
  if (function->layer == LAYER_MPI) {
    call->start = thw_clock(thw_state());
  } else {
    start_event(call);
  }
  self.frame = call;
  if (call->number) self.number = call->number;
  self.layers |= (uint8_t)(1u << function->layer);
}

// A library that was left by siglongjmp while it was asked is asked no longer: its frame is below that of a later call.
static int is_own(const struct Call* call) {
  if (self.asking && self.asking <= (const void*)call) self.asking = NULL;
  return self.asking != NULL;
}

void thw_enter(struct Call* call, unsigned index, const long* words, void* caller) {
  call->target = thw_target(index, caller);
  call->is_followed = 0;
  if (!(thw_settings()->layers >> thw_functions[index].layer & 1) || is_own(call)) return;
  const int error = errno;
  if (thw_log_ready()) begin(call, index, words);
  errno = error;
}

static void count(const struct Function* function, const struct Call* call, const struct Outcome* outcome,
                  uint64_t duration) {
  uint16_t number;
  struct Row* row = thw_log_row(call->index, &number);
  const int is_mpi = function->layer == LAYER_MPI;
  add_to(&row->count, 1);
  add_to(&row->time, duration);
  if (outcome->is_failed) add_to(&row->failed, 1);
  if (outcome->bytes) add_to(&row->bytes, outcome->bytes);
  if (!call->outer_layers) {
    add_to(&row->outer_time, duration);
  } else if (is_mpi && (call->outer_layers & IO_LAYERS) && !(call->outer_layers >> LAYER_MPI & 1)) {
    add_to(&row->in_io_time, duration);
  }
  if (duration > row->longest) row->longest = duration;
  if (!is_mpi && !call->number) {
    add_to(&row->dropped, 1);
    add_to(&thw_log_header()->dropped, 1);
  }
}

static void finish_event(const struct Function* function, const struct Call* call, const struct Outcome* outcome,
                         const struct Moved* moved, uint64_t duration) {
  struct Slot* slot = thw_log_at(call->number);
  uint8_t flags = outcome->is_failed ? FLAG_FAILED : 0;
  if (call->outer_layers & IO_LAYERS) flags |= FLAG_INNER;
  if (call->outer_layers >> function->layer & 1) flags |= FLAG_INNER_SAME;
  if (moved->event) flags |= FLAG_MOVED;
  const struct SlotEnd end = {
      .flags = flags,
      .duration = duration,
      .bytes = outcome->bytes,
      .offset = moved->event ? moved->start : outcome->offset,
      .file = call->file,
      .along = moved->along,
      .result = moved->event ? (int32_t)moved->event : outcome->result,
  };
  thw_slot_finish(slot, &end);
}

void thw_leave(struct Call* call, const long* words, long result) {
  struct State* state = thw_state();
  const uint64_t end = thw_clock(state);
  const int error = errno;
  // Not the log's any more: the process was forked within the call.
  if (call->log != self.log || self.log != state->header) return;
  const struct Function* function = &thw_functions[call->index];
  struct Outcome outcome;
  // What the system's functions have done is known without asking, and a handler's calls meanwhile are traced.
  if (function->layer != LAYER_POSIX) self.asking = call;
  thw_after(function, call, words, result, error, &outcome);
  if (!call->is_silent) {
    self.frame = call->outer_frame;
    self.number = call->outer_number;
    self.layers = call->outer_layers;
    count(function, call, &outcome, end - call->start);
    struct Moved moved = {0};
    if (call->number && !outcome.is_failed && !(call->outer_layers & IO_LAYERS))
      moved = thw_write_facts(function, call, words);
    if (call->number) finish_event(function, call, &outcome, &moved, end - call->start);
    state->header->last = end;
    thw_clock_passed(state, end);
  }
  self.asking = NULL;
  errno = error;
}
