// Which file a descriptor or a handle of a library means.
#pragma once

#include <stdint.h>

#include "state.h"

// Null for what is no regular file, or is excluded.
struct Descriptor* thw_descriptor(int number);
void thw_descriptor_opened(int number, uint32_t file, int is_traced, int is_appending);
void thw_descriptor_closed(int number);
void thw_descriptors_closed(void);

struct Handle* thw_handle(uint8_t kind, long value);
void thw_handle_made(uint8_t kind, long value, uint32_t file, uint32_t variable);
void thw_handle_closed(uint8_t kind, long value);
