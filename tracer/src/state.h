// What is known of this process. After a fork the child finds all of it zero, and begins a log of its own.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "format.h"
#include "function.h"
#include "function_count.h"
#include "quiet.h"

enum { NAME_PLACES = 1 << 15, DESCRIPTORS = 1 << 16, HANDLE_PLACES = 1 << 12, VARIABLE_PLACES = 1 << 12 };
enum { MOST_DIMENSIONS = 1024 };  // of a variable
enum LogState { LOG_UNOPENED, LOG_OPENING, LOG_OPEN, LOG_OFF };
enum DescriptorState { DESCRIPTOR_UNKNOWN, DESCRIPTOR_TRACED, DESCRIPTOR_IGNORED };

struct NamePlace {
  _Atomic uint64_t hash;
  _Atomic uint32_t id;
};

struct Descriptor {
  uint32_t file;
  uint8_t state;
  uint8_t has_position;
  int64_t position;
};

struct Handle {
  long value;
  uint32_t file, variable;
  uint8_t kind;  // its layer and language, plus 1; 0: empty
};

struct Variable {
  uint64_t key;
  uint32_t name, text;  // text: what it is, 0 before it was asked for
  uint16_t dimensions;
  uint8_t is_known;
  _Atomic uint32_t box;  // the slot that has all of its last box but one start; 0: none
  uint64_t element_bytes;
};

struct State {
  _Atomic int log_state;
  struct Header* header;
  struct Row* rows;
  struct Slot* slots;
  uint64_t log_bytes;
  _Atomic uint64_t ready_slots;
  atomic_flag growing, tables, noting;
  int reads_counter;
  uint64_t noted, note_after;  // when the time was last noted beside it, and after how many counts it is again
  _Atomic uint32_t name_count, row_count, threads;
  char path[4096];
  _Atomic uint16_t row_of[FUNCTION_COUNT];
  struct NamePlace names[NAME_PLACES];
  struct Descriptor descriptors[DESCRIPTORS];
  struct Handle handles[HANDLE_PLACES];
  struct Variable variables[VARIABLE_PLACES];
};

struct State* thw_state(void);
static inline void lock_tables(struct State* state, struct Quiet* quiet) {
  thw_quiet_begin(quiet);
  while (atomic_flag_test_and_set_explicit(&state->tables, memory_order_acquire)) {
  }
}
static inline void unlock_tables(struct State* state, const struct Quiet* quiet) {
  atomic_flag_clear_explicit(&state->tables, memory_order_release);
  thw_quiet_end(quiet);
}
