/* How the functions of a core that only records write down their calls, one a line. */
#ifndef FAKE_RECORD_H
#define FAKE_RECORD_H

#include <stdint.h>

#include "thalweg_values.h"

extern char fake_error_text[64];

void note(const char* format, ...);
void begin(const char* name);
/* The code that the call ends with. */
int end(void);
int fake_code(void);
void note_text(const char* key, const char* text);
void note_numbers(const char* key, const int64_t* values, int count);
/* stride: NULL for an array without gaps. */
void note_array(const void* data, thalweg_type type, int rank, const int64_t* extent, const int64_t* stride);

#endif
