// How many bytes a call of a library moves, and the names of its variables.
#pragma once

#include <stdint.h>

#include "call.h"
#include "function.h"

uint32_t thw_variable_name(const struct Function* function, const struct Call* call, const long* words);
uint64_t thw_library_bytes(const struct Function* function, const struct Call* call, const long* words);
void thw_variables_closed(uint8_t layer, int file);
