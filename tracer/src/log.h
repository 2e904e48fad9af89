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
void thw_log_set_rank(int rank, int ranks);
