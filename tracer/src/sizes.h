// How many bytes a call of a library moves, and the names of its variables.
#pragma once

#include <stdint.h>

#include "call.h"
#include "function.h"
#include "state.h"

uint32_t thw_variable_name(const struct Function* function, const struct Call* call, const long* words);
// What is known of the variable of a call, asked of the library once while its file is open; null: nothing.
struct Variable* thw_variable(const struct Function* function, const struct Call* call, const long* words);
// The name of a text that says what the variable is (docs/formats/trace.md); 0: not known.
uint32_t thw_variable_text(struct Variable* variable, const struct Function* function, const struct Call* call,
                           const long* words);
// The lengths of its dimensions; false: not known.
int thw_variable_shape(const struct Function* function, const struct Call* call, const long* words, int64_t* shape);
uint64_t thw_library_bytes(const struct Function* function, const struct Call* call, const long* words);
void thw_variables_closed(uint8_t layer, int file);
