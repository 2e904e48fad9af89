// What a call was asked for beyond its event: the box of a write, the mode of a file.
#pragma once

#include "call.h"
#include "function.h"

// Of a call that has ended well, behind its event.
void thw_write_facts(const struct Function* function, const struct Call* call, const long* words);
