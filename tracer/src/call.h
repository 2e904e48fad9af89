// What every wrapper calls before and after the function that it stands for.
#pragma once

#include <stdint.h>

struct Call {
  void* target;  // the function itself
  void* log;     // whose event it is
  uint64_t start;
  void* outer_frame;  // of the traced call that this one is made in, and that event's number
  uint32_t outer_number;
  uint32_t number;  // of this event, counted from 1; 0: none in the log
  uint32_t file;
  uint32_t variable;
  uint16_t index;        // of the function
  uint8_t outer_layers;  // of all calls that this one is made in
  uint8_t is_followed;
  uint8_t is_silent;  // no event: only what it means for descriptors is followed
};

void thw_enter(struct Call* call, unsigned index, const long* words, void* caller);
void thw_leave(struct Call* call, const long* words, long result);
