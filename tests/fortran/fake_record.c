/* What a core that only records writes down. */
#include "fake_record.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char record[4096];
static int next_code = THALWEG_OK;
char fake_error_text[64];

/* What happened since the last call of this function, one line a call; capacity counts the final zero. */
void fake_take(char* text, int capacity) {
  snprintf(text, (size_t)capacity, "%s", record);
  record[0] = '\0';
}

int fake_length(void) {
  return (int)strlen(record);
}

/* The next call of the core ends with this code. */
void fake_fail(int code) {
  next_code = code;
}

void note(const char* format, ...) {
  size_t used = strlen(record);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(record + used, sizeof record - used, format, arguments);
  va_end(arguments);
}

void begin(const char* name) {
  note("%s%s", record[0] ? "\n" : "", name);
}

int end(void) {
  int code = next_code;
  next_code = THALWEG_OK;
  if (code != THALWEG_OK) snprintf(fake_error_text, sizeof fake_error_text, "the core failed with code %d", code);
  return code;
}

void note_text(const char* key, const char* text) {
  if (text) {
    note(" %s='%s'", key, text);
  } else {
    note(" %s=null", key);
  }
}

void note_numbers(const char* key, const int64_t* values, int count) {
  note(" %s=", key);
  if (!values) note("null");
  for (int i = 0; values && i < count; ++i) note("%s%lld", i > 0 ? "," : "", (long long)values[i]);
}

static void note_value(thalweg_type type, const char* address) {
  switch (type) {
    case THALWEG_INT8: note(" %d", *(const int8_t*)address); break;
    case THALWEG_INT16: note(" %d", *(const int16_t*)address); break;
    case THALWEG_INT32: note(" %d", *(const int32_t*)address); break;
    case THALWEG_INT64: note(" %lld", (long long)*(const int64_t*)address); break;
    case THALWEG_UINT8: note(" %u", *(const uint8_t*)address); break;
    case THALWEG_UINT16: note(" %u", *(const uint16_t*)address); break;
    case THALWEG_UINT32: note(" %u", *(const uint32_t*)address); break;
    case THALWEG_UINT64: note(" %llu", (unsigned long long)*(const uint64_t*)address); break;
    case THALWEG_FLOAT32: note(" %g", (double)*(const float*)address); break;
    case THALWEG_FLOAT64: note(" %g", *(const double*)address); break;
    case THALWEG_CHAR: note(" %c", *address); break;
  }
}

static int64_t type_bytes(thalweg_type type) {
  const int64_t bytes[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1};
  return bytes[type];
}

static void note_elements(thalweg_type type, const char* first, int rank, const int64_t* extent,
                          const int64_t* stride) {
  if (rank == 0) {
    note_value(type, first);
    return;
  }
  for (int64_t i = 0; i < extent[0]; ++i) note_elements(type, first + i * stride[0], rank - 1, extent + 1, stride + 1);
}

void note_array(const void* data, thalweg_type type, int rank, const int64_t* extent, const int64_t* stride) {
  int64_t contiguous[16] = {0};
  int64_t bytes = type_bytes(type);
  for (int d = rank - 1; d >= 0; --d) {
    contiguous[d] = bytes;
    bytes *= extent[d];
  }
  note(" type=%d rank=%d", (int)type, rank);
  note_numbers("extent", extent, rank);
  note_numbers("stride", stride, rank);
  note(" data:");
  note_elements(type, data, rank, extent, stride ? stride : contiguous);
}

int fake_code(void) {
  return next_code;
}
