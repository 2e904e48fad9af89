// The log file of this process: mapped memory of a file, so that what is in it outlives the process.
#pragma once

#include <stdint.h>

#include "format.h"

// Opens the log when it is first asked; says whether there is one.
int thw_log_ready(void);
struct Header* thw_log_header(void);
// A slot of the log and its number counted from 1, or null if there is no room.
struct Slot* thw_log_slot(uint32_t* number);
struct Slot* thw_log_at(uint32_t number);
// The row of a function, one of those that has been used, or is now.
struct Row* thw_log_row(unsigned index, uint16_t* number);
uint64_t thw_slot_check(const struct Slot* slot);

// What is known of a call when it ends.
struct SlotEnd {
  uint64_t duration, bytes;
  int64_t offset;
  uint32_t file;
  int32_t result;
  uint16_t along;
  uint8_t flags;
};
void thw_slot_finish(struct Slot* slot, const struct SlotEnd* end);
void thw_log_set_rank(int rank, int ranks);
