// What a wrapper is made of. No header of the C library is seen here: the wrappers have its names, and other types.
#pragma once

#include "call.h"

// Arguments are handed on as they came, in registers and in 8 bytes of the stack each, so that no type of MPI or of a
// library has to be known. Bits of a register beyond an argument's type are handed on with it.
#define WRAPPER(symbol, index, parameters, types, arguments, ...) \
  __attribute__((visibility("default"))) long symbol parameters { \
    const long words[] = __VA_ARGS__;                             \
    struct Call call;                                             \
    thw_enter(&call, index, words, __builtin_return_address(0));  \
    const long result = ((long(*) types)call.target)arguments;    \
    if (call.is_followed) thw_leave(&call, words, result);        \
    return result;                                                \
  }
