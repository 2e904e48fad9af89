// Names of files and variables: each is in the log once, events have its number.
#pragma once

#include <stdint.h>

// 0 for null and when there is no room.
uint32_t thw_name(const char* text);
// The path as an event shows it: from the root, without a prefix such as "ufs:". Returns 0 if it is excluded.
int thw_whole_path(const char* path, char* into, uint32_t bytes);
