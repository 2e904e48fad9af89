// What is known of a call before it is made and after: its file, its bytes, and what it changes in the tables of files.
#pragma once

#include <stdint.h>

#include "call.h"
#include "function.h"

enum Following { FOLLOW_NOT, FOLLOW_SILENTLY, FOLLOW };

struct Outcome {
  uint64_t bytes;
  int64_t offset;  // -1: not known
  int32_t result;  // of POSIX in failure -errno
  int is_failed;
};

enum Following thw_before(const struct Function* function, struct Call* call, const long* words);
void thw_after(const struct Function* function, const struct Call* call, const long* words, long result, int error,
               struct Outcome* outcome);
