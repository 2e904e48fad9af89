// What a call was asked for beyond its event: the box of a write, the mode of a file.
#pragma once

#include <stdint.h>

#include "call.h"
#include "function.h"

// The box of an earlier event, moved along one dimension. event 0: none.
struct Moved {
  uint32_t event;
  uint16_t along;
  int64_t start;
};

// Of a call that has ended well. What is returned is not in the log yet: it is for the event itself.
struct Moved thw_write_facts(const struct Function* function, const struct Call* call, const long* words);
