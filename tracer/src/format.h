// The log as docs/formats/trace.md describes it. Numbers are those of the machine, least significant byte first.
#pragma once

#include <stdint.h>

#define TRACE_MAGIC "THWTRACE"
enum { TRACE_VERSION = 4, SLOT_BYTES = 64, ROW_BYTES = 128, ROW_COUNT = 256, HEADER_BYTES = 4096 };
enum SlotKind { SLOT_EMPTY, SLOT_STARTED, SLOT_FINISHED, SLOT_NAME, SLOT_FACTS };
enum SlotFlag {
  FLAG_FAILED = 1,
  FLAG_INNER = 2,
  FLAG_INNER_SAME = 4,
  FLAG_LAST_PART = 8,
  FLAG_NARROW = 16,
  FLAG_MOVED = 32
};

enum ClockKind { CLOCK_NANOSECONDS, CLOCK_COUNTER };

// The same moment by both.
struct TimePair {
  uint64_t count, ns;
};

struct Header {
  char magic[8];
  uint32_t version, header_bytes, row_bytes, row_count, slot_bytes, layers;
  uint32_t pid, parent_pid;
  int32_t rank, ranks;
  uint64_t start_real, start, last;  // ns since 1970, and of the clock of events; `last` is of the last one
  uint64_t mpi_begin, mpi_end;       // 0: never
  uint64_t slot_limit;               // of events and names together
  uint64_t next_slot;                // also counts those that found no room
  uint64_t dropped, names_dropped;   // events, names
  uint32_t rows_used, has_ended;
  uint32_t clock, last_time;  // of which kind, and which of the last times is the last
  struct TimePair first_time, last_times[2];
  uint64_t reserved;
  char host[64];
  char program[512];
  char command[2048];
};

// Counters of a function. They go on when the log is full.
struct Row {
  char name[48];
  uint8_t layer, class_, is_fortran, reserved[5];
  uint64_t count, failed, bytes, time, outer_time, longest, dropped;  // outer: in no other traced call
  uint64_t in_io_time;                                                // of MPI, within a call of I/O
  uint64_t spare;
};

struct Slot {
  uint8_t kind, flags;
  uint16_t row;
  uint32_t parent;
  uint64_t start, duration, bytes;
  int64_t offset;
  uint32_t file, variable;
  uint16_t thread, along;  // along, and the event in place of a result: of a box that is told by an earlier one
  int32_t result;
  uint64_t check;
};

// A name takes as many slots as it needs; they need not follow each other.
struct NamePart {
  uint8_t kind, flags;
  uint16_t part;
  uint32_t id;
  char text[48];
  uint64_t check;
};

// What a call was asked for: its words are of the event before.
struct FactsPart {
  uint8_t kind, flags;
  uint16_t part;
  uint32_t event;
  union {
    int64_t wide[6];
    int32_t narrow[12];
  } words;
  uint64_t check;
};

_Static_assert(sizeof(struct Header) <= HEADER_BYTES, "the header has its place");
_Static_assert(sizeof(struct Row) == ROW_BYTES, "rows follow each other");
_Static_assert(sizeof(struct Slot) == SLOT_BYTES && sizeof(struct NamePart) == SLOT_BYTES &&
                   sizeof(struct FactsPart) == SLOT_BYTES,
               "slots follow each other");
