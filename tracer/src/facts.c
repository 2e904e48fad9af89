#include "facts.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "log.h"
#include "names.h"
#include "resolve.h"
#include "sizes.h"
#include "state.h"

enum { WIDE_WORDS = 6, NARROW_WORDS = 12, MOST_WORDS = 8192 };
enum { FIRST_START = 4 };  // of the words of a write, behind what its variable is, dimensions, parts and boxes

// Most facts are few small numbers, and then in one slot.
struct Facts {
  uint32_t event;
  uint16_t part;
  uint8_t is_wide;
  int count;  // of words that are not written yet
  int64_t words[NARROW_WORDS];
};

// As names are written: what is cut by a kill shows by its last part, which is not there. The number of the slot; 0:
// the log is full.
static uint32_t write_slot(struct Facts* facts, int count, int is_last) {
  uint32_t number;
  struct FactsPart* slot = (struct FactsPart*)thw_log_slot(&number);
  if (slot) {
    for (int i = 0; i < count; ++i) {
      if (facts->is_wide) slot->words.wide[i] = facts->words[i];
      if (!facts->is_wide) slot->words.narrow[i] = (int32_t)facts->words[i];
    }
    slot->flags = (is_last ? FLAG_LAST_PART : 0) | (facts->is_wide ? 0 : FLAG_NARROW);
    slot->part = facts->part;
    slot->event = facts->event;
    slot->kind = SLOT_FACTS;
    slot->check = thw_slot_check((struct Slot*)slot);
  } else {
    __atomic_fetch_add(&thw_log_header()->names_dropped, 1, __ATOMIC_RELAXED);
  }
  ++facts->part;
  facts->count -= count;
  memmove(facts->words, facts->words + count, (size_t)facts->count * sizeof facts->words[0]);
  return number;
}

static void add(struct Facts* facts, int64_t word) {
  if (facts->count == NARROW_WORDS || word != (int32_t)word) facts->is_wide = 1;
  while (facts->is_wide && facts->count >= WIDE_WORDS) write_slot(facts, WIDE_WORDS, 0);
  facts->words[facts->count++] = word;
}

static uint32_t end(struct Facts* facts) {
  return write_slot(facts, facts->count, 1);
}

// A start, a count or a stride; where there is none it is all of one value.
static void add_index(struct Facts* facts, const int64_t* index, int dimensions, int64_t otherwise) {
  for (int i = 0; i < dimensions; ++i) add(facts, index ? index[i] : otherwise);
}

static const int64_t* index_at(const long* words, int argument) {
  return (const int64_t*)words[argument];
}

static void add_many(struct Facts* facts, const long* words, int argument, int dimensions) {
  const int64_t* const* starts = (const int64_t* const*)words[argument + 1];
  const int64_t* const* counts = (const int64_t* const*)words[argument + 2];
  for (int box = 0; box < (int)words[argument]; ++box) {
    add_index(facts, starts ? starts[box] : NULL, dimensions, 0);
    add_index(facts, counts ? counts[box] : NULL, dimensions, 1);
  }
}

static int is_one_box(int kind) {
  return kind == FACTS_POINT || kind == FACTS_BOX || kind == FACTS_STRIDED;
}

// How many of a box's indices are others than in the words; `first` becomes the first of them.
static int others(const int32_t* words, const int64_t* index, int dimensions, int64_t otherwise, int* first) {
  int found = 0;
  for (int i = 0; i < dimensions; ++i)
    if (words[i] != (index ? index[i] : otherwise) && found++ == 0) *first = i;
  return found;
}

// Most programs go through a variable along one dimension: such a box is told by an earlier one, in the event itself,
// since the kernel's making of the log's pages is half of what an event costs.
static struct Moved moved_from(const struct Function* function, const long* words, const struct Variable* variable) {
  const struct Moved none = {0};
  const int kind = function->facts_role.kind, argument = function->facts_role.argument;
  const uint32_t slot = is_one_box(kind) ? atomic_load_explicit(&variable->box, memory_order_acquire) : 0;
  if (!slot) return none;
  const struct FactsPart* box = (const struct FactsPart*)thw_log_at(slot);
  const int32_t* told = box->words.narrow;
  const int dimensions = variable->dimensions, parts = kind == FACTS_STRIDED ? 3 : 2;
  if (told[1] != dimensions || told[2] != parts || !dimensions) return none;
  const int64_t* const* indices = (const int64_t* const*)(words + argument);
  int along = 0, ignored;
  if (!indices[0] || others(told + FIRST_START, indices[0], dimensions, 0, &along) > 1) return none;
  for (int part = 1; part < parts; ++part) {
    const int64_t* index = kind == FACTS_POINT ? NULL : indices[part];
    if (others(told + FIRST_START + part * dimensions, index, dimensions, 1, &ignored)) return none;
  }
  return (struct Moved){box->event, (uint16_t)along, indices[0][along]};
}

static void write_boxes(const struct Function* function, const struct Call* call, const long* words,
                        struct Variable* variable) {
  const int kind = function->facts_role.kind, argument = function->facts_role.argument;
  const int dimensions = variable->dimensions;
  const int64_t boxes = kind == FACTS_BOXES ? (int)words[argument] : 1;
  int64_t shape[MOST_DIMENSIONS];
  if (boxes < 0 || boxes * dimensions * 2 > MOST_WORDS) return;
  if (kind == FACTS_WHOLE && !thw_variable_shape(function, call, words, shape)) return;
  struct Facts facts = {.event = call->number};
  add(&facts, thw_variable_text(variable, function, call, words));
  add(&facts, dimensions);
  add(&facts, kind == FACTS_STRIDED ? 3 : 2);
  add(&facts, boxes);
  if (kind == FACTS_BOXES) {
    add_many(&facts, words, argument, dimensions);
  } else {
    add_index(&facts, kind == FACTS_WHOLE ? NULL : index_at(words, argument), dimensions, 0);
    if (kind == FACTS_WHOLE) add_index(&facts, shape, dimensions, 0);
    if (kind == FACTS_POINT) add_index(&facts, NULL, dimensions, 1);
    if (kind == FACTS_BOX || kind == FACTS_STRIDED) add_index(&facts, index_at(words, argument + 1), dimensions, 1);
    if (kind == FACTS_STRIDED) add_index(&facts, index_at(words, argument + 2), dimensions, 1);
  }
  const int has_one_slot = !facts.is_wide && !facts.part;
  const uint32_t slot = end(&facts);
  if (is_one_box(kind)) atomic_store_explicit(&variable->box, has_one_slot ? slot : 0, memory_order_release);
}

static int64_t library_name(const struct Call* call) {
  Dl_info about;
  return dladdr(call->target, &about) && about.dli_fname ? thw_name(about.dli_fname) : 0;
}

// Netcdf.h's number: a program may have given the format by another call than that which makes the file. 0: not known.
static int64_t format_of(const struct Function* function, const struct Call* call, const long* words) {
  int (*inquire)(int, int*) =
      thw_helper(call->target, function->layer == LAYER_NETCDF ? "nc_inq_format" : "ncmpi_inq_format");
  int format = 0;
  return inquire && inquire(*(const int*)words[function->makes_role.argument], &format) == 0 ? format : 0;
}

struct Moved thw_write_facts(const struct Function* function, const struct Call* call, const long* words) {
  const struct Role role = function->facts_role;
  const struct Moved none = {0};
  struct Facts facts = {.event = call->number};
  switch (role.kind) {
    case FACTS_NONE: return none;
    case FACTS_OPEN:
      add(&facts, library_name(call));
      add(&facts, (int)words[role.argument]);
      add(&facts, format_of(function, call, words));
      end(&facts);
      return none;
    case FACTS_WORD:
      add(&facts, (int)words[role.argument]);
      end(&facts);
      return none;
    default: {
      struct Variable* variable = thw_variable(function, call, words);
      if (!variable || variable->dimensions > MOST_DIMENSIONS) return none;
      const struct Moved moved = moved_from(function, words, variable);
      if (!moved.event) write_boxes(function, call, words, variable);
      return moved;
    }
  }
}
