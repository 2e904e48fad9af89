/* What Fortran passes, read for C: strings without trailing blanks, integers of any kind, arrays by extent and stride,
 * dimensions turned around (fastest first there, slowest first in C); and the errors found on the way. */
#ifndef THALWEG_FORTRAN_DESCRIPTORS_H
#define THALWEG_FORTRAN_DESCRIPTORS_H

#include <ISO_Fortran_binding.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "thalweg.h"

typedef CFI_cdesc_t Array;

/* Of the core, for this interface alone: from now on messages count from 1 and list dimensions fastest first. */
void thalweg_tell_as_fortran(void);

/* ---- one call: its errors and what it allocated ---- */

enum { MAX_OWNED = 8 };

typedef struct Call {
  const char* procedure;
  const char* subject; /* name of the variable, collection or dimension concerned, or NULL */
  int code;            /* of the first error; conversions after it do nothing */
  int owned_count;
  void* owned[MAX_OWNED]; /* freed when the call ends */
} Call;

/* Text of an error found here and not by the core; "" if the last error was the core's. */
extern _Thread_local char thw_own_text[512];

static inline void refuse(Call* call, int code, const char* format, ...) {
  if (call->code != THALWEG_OK) return;
  call->code = code;
  const char* subject = call->subject;
  int used = snprintf(thw_own_text, sizeof thw_own_text, "%s%s%s%s: ", call->procedure, subject ? " of '" : "",
                      subject ? subject : "", subject ? "'" : "");
  if (used < 0 || used >= (int)sizeof thw_own_text) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(thw_own_text + used, sizeof thw_own_text - used, format, arguments);
  va_end(arguments);
}

static inline void* own(Call* call, size_t bytes) {
  void* memory = malloc(bytes + 1);
  if (!memory) {
    refuse(call, THALWEG_ERROR_MEMORY, "no memory for %zu bytes of arguments", bytes);
    return NULL;
  }
  call->owned[call->owned_count++] = memory;
  return memory;
}

/* Keeps the result of a call of the core, whose text then is the last one. */
static inline void result(Call* call, int code) {
  call->code = code;
  if (code != THALWEG_OK) thw_own_text[0] = '\0';
}

static inline const char* last_text(void) {
  return thw_own_text[0] ? thw_own_text : thalweg_error_text();
}

/* Fills a Fortran string, padded with blanks. */
static inline void fill(const Array* string, const char* text) {
  size_t length = strlen(text);
  if (length > string->elem_len) length = string->elem_len;
  memcpy(string->base_addr, text, length);
  memset((char*)string->base_addr + length, ' ', string->elem_len - length);
}

/* Most errors are all ranks': the first rank says it, and ends the job before the others have waited. */
static inline void let_first_rank_speak(void) {
  const struct timespec while_it_does = {.tv_sec = 1};
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0) nanosleep(&while_it_does, NULL);
}

static inline void end_program(int code) {
  int started = 0, ended = 0;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  if (started && !ended) let_first_rank_speak();
  fprintf(stderr, "thalweg: %s (error %d)\n", last_text(), code);
  fflush(stderr);
  if (started && !ended) MPI_Abort(MPI_COMM_WORLD, code);
  exit(code);
}

static inline void end_call(Call* call, int* stat, const Array* errmsg) {
  for (int i = 0; i < call->owned_count; ++i) free(call->owned[i]);
  if (stat) *stat = call->code;
  if (call->code == THALWEG_OK) return;
  if (errmsg) fill(errmsg, last_text());
  if (!stat) end_program(call->code);
}

/* ---- strings ---- */

/* The string as a C string without trailing blanks; NULL if it is absent. */
static inline char* c_text(Call* call, const Array* string) {
  if (!string) return NULL;
  const char* text = string->base_addr;
  size_t length = string->elem_len;
  while (length > 0 && text[length - 1] == ' ') --length;
  char* copy = own(call, length);
  if (!copy) return NULL;
  if (length > 0) memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

/* "x,y,z" as "z,y,x"; NULL if it is absent. */
static inline char* c_names(Call* call, const Array* string) {
  const char* names = c_text(call, string);
  char* turned = names ? own(call, strlen(names)) : NULL;
  if (!turned) return NULL;
  char* out = turned + strlen(names);
  *out = '\0';
  while (1) {
    size_t length = strcspn(names, ",");
    out -= length;
    memcpy(out, names, length);
    if (names[length] == '\0') return turned;
    *--out = ',';
    names += length + 1;
  }
}

static inline int64_t name_count(const char* names) {
  int64_t count = 1;
  for (; *names; ++names) count += *names == ',';
  return count;
}

/* NULL if it is absent. */
static inline thalweg_decomposition* c_decomposition(Call* call, thalweg_decomposition* const* decomposition) {
  if (!decomposition) return NULL;
  if (!*decomposition)
    refuse(call, THALWEG_ERROR_ARGUMENT, "decomposition was not declared; call thw_decompose before");
  return *decomposition;
}

static inline void fill_whole(Call* call, const Array* string, const char* text) {
  if (!string || call->code != THALWEG_OK) return;
  if (string->elem_len < strlen(text))
    refuse(call, THALWEG_ERROR_ARGUMENT, "'%s' has %zu characters, and the text that is given room for %zu", text,
           strlen(text), (size_t)string->elem_len);
  else
    fill(string, text);
}

/* ---- arrays ---- */

/* Integers of one size may have several codes in a descriptor, hence the long list. */
static inline int is_integer(CFI_type_t type) {
  return type == CFI_type_signed_char || type == CFI_type_short || type == CFI_type_int || type == CFI_type_long ||
         type == CFI_type_long_long || type == CFI_type_int8_t || type == CFI_type_int16_t ||
         type == CFI_type_int32_t || type == CFI_type_int64_t;
}

static inline int is_real(CFI_type_t type) {
  return type == CFI_type_float || type == CFI_type_double;
}

static inline int is_text(const Array* array) {
  return array->type == CFI_type_char;
}

/* Of numbers. */
static inline thalweg_type element_type(Call* call, const char* argument, const Array* array) {
  if (is_real(array->type)) return array->elem_len == 4 ? THALWEG_FLOAT32 : THALWEG_FLOAT64;
  if (is_integer(array->type)) {
    switch (array->elem_len) {
      case 1: return THALWEG_INT8;
      case 2: return THALWEG_INT16;
      case 4: return THALWEG_INT32;
      case 8: return THALWEG_INT64;
      default: break;
    }
  }
  refuse(
      call, THALWEG_ERROR_ARGUMENT,
      "%s has elements of %zu bytes of a type that is not supported (code %d); give an integer of 1, 2, 4 or 8 bytes "
      "or a real of 4 or 8; text is given with thw_define_text",
      argument, (size_t)array->elem_len, (int)array->type);
  return THALWEG_INT8;
}

/* Of numbers or a text. */
static inline thalweg_type type_in_memory(Call* call, const char* argument, const Array* array) {
  return is_text(array) ? THALWEG_CHAR : element_type(call, argument, array);
}

static inline void require_integer(Call* call, const char* argument, const Array* array) {
  if (!is_integer(array->type) || array->elem_len > 8) {
    refuse(call, THALWEG_ERROR_ARGUMENT, "%s is not an integer of 1, 2, 4 or 8 bytes", argument);
  }
}

static inline int64_t integer_at(const Array* array, const char* address) {
  switch (array->elem_len) {
    case 1: return *(const int8_t*)address;
    case 2: return *(const int16_t*)address;
    case 4: return *(const int32_t*)address;
    default: return *(const int64_t*)address;
  }
}

static inline int64_t c_integer(Call* call, const char* argument, const Array* scalar) {
  require_integer(call, argument, scalar);
  if (scalar->rank != 0) refuse(call, THALWEG_ERROR_ARGUMENT, "%s must be a scalar", argument);
  return call->code == THALWEG_OK ? integer_at(scalar, scalar->base_addr) : 0;
}

/* Of a scalar of any kind. */
static inline double c_real(Call* call, const char* argument, const Array* scalar) {
  if (scalar->rank != 0) refuse(call, THALWEG_ERROR_ARGUMENT, "%s must be a scalar", argument);
  const thalweg_type type = element_type(call, argument, scalar);
  if (call->code != THALWEG_OK) return 0.0;
  if (type == THALWEG_FLOAT32) return *(const float*)scalar->base_addr;
  if (type == THALWEG_FLOAT64) return *(const double*)scalar->base_addr;
  return (double)integer_at(scalar, scalar->base_addr);
}

/* The first rows columns of array(n) or array(n,columns), each of them turned around and shifted. */
static inline int64_t* c_rows(Call* call, const char* argument, const Array* array, int64_t n, int64_t rows,
                              int64_t shift) {
  require_integer(call, argument, array);
  const int64_t columns = array->rank == 2 ? array->dim[1].extent : 1;
  if (array->rank < 1 || array->rank > 2) {
    refuse(call, THALWEG_ERROR_ARGUMENT, "%s has rank %d; give one value a dimension", argument, (int)array->rank);
  } else if (rows > 0 && (array->dim[0].extent != n || columns < rows)) {
    refuse(call, THALWEG_ERROR_ARGUMENT, "%s is %lld x %lld; %lld dimension(s) and %lld box(es) need %lld x %lld",
           argument, (long long)array->dim[0].extent, (long long)columns, (long long)n, (long long)rows, (long long)n,
           (long long)rows);
  }
  int64_t* values = call->code == THALWEG_OK ? own(call, sizeof(int64_t) * n * rows) : NULL;
  if (!values) return NULL;
  for (int64_t row = 0; row < rows; ++row) {
    const char* column = (const char*)array->base_addr + (row > 0 ? row * array->dim[1].sm : 0);
    for (int64_t d = 0; d < n; ++d) {
      values[row * n + n - 1 - d] = integer_at(array, column + d * array->dim[0].sm) + shift;
    }
  }
  return values;
}

/* As c_rows for an argument with one value a dimension; NULL if it is absent. */
static inline int64_t* c_row(Call* call, const char* argument, const Array* array, int64_t n) {
  if (!array) return NULL;
  if (array->rank != 1) refuse(call, THALWEG_ERROR_ARGUMENT, "%s must have rank 1", argument);
  return c_rows(call, argument, array, n, 1, 0);
}

/* Indices of an array of rank 1, from 0; those below 1 become negative. */
static inline int64_t* c_indices(Call* call, const char* argument, const Array* array, int64_t* count) {
  require_integer(call, argument, array);
  if (array->rank != 1) refuse(call, THALWEG_ERROR_ARGUMENT, "%s must have rank 1", argument);
  if (call->code == THALWEG_OK && array->dim[0].extent > 0 && !array->base_addr)
    refuse(call, THALWEG_ERROR_ARGUMENT, "%s is not allocated or not associated", argument);
  if (call->code != THALWEG_OK) return NULL;
  *count = array->dim[0].extent;
  int64_t* values = own(call, sizeof(int64_t) * *count);
  for (int64_t i = 0; values && i < *count; ++i) {
    values[i] = integer_at(array, (const char*)array->base_addr + i * array->dim[0].sm) - 1;
    if (values[i] < 0) values[i] = -1;
  }
  return values;
}

/* Of a logical of any kind, as below; 0 if it is absent. */
static inline int c_logical(const void* logical) {
  return logical && (*(const unsigned char*)logical & 1);
}

/* Into a logical of any kind: compilers differ in the other bits of a true one, not in the lowest. */
static inline void give_logical(const Array* logical, int value) {
  if (!logical) return;
  memset(logical->base_addr, 0, logical->elem_len);
  *(unsigned char*)logical->base_addr = value != 0;
}

/* A scalar or an array of rank 1 without gaps. */
static inline void* c_values(Call* call, const char* argument, const Array* array, int* count) {
  if (array->rank > 1) refuse(call, THALWEG_ERROR_ARGUMENT, "%s must be a scalar or have rank 1", argument);
  if (call->code != THALWEG_OK) return NULL;
  *count = array->rank == 0 ? 1 : (int)array->dim[0].extent;
  const CFI_index_t stride = array->rank == 0 ? 0 : array->dim[0].sm;
  char* values = own(call, *count * array->elem_len);
  for (int i = 0; values && i < *count; ++i) {
    memcpy(values + i * array->elem_len, (const char*)array->base_addr + i * stride, array->elem_len);
  }
  return values;
}

/* Extents and byte strides, slowest first; returns how many. The extents of an array that is not allocated are
 * arbitrary numbers. The characters of a text are a dimension of their own, the fastest, unless it has just one. */
static inline int c_shape(Call* call, const Array* field, int64_t* extent, int64_t* stride) {
  int empty = 0;
  for (int d = 0; d < field->rank; ++d) {
    const CFI_dim_t* dim = &field->dim[field->rank - 1 - d];
    extent[d] = dim->extent;
    stride[d] = dim->sm;
    empty = empty || dim->extent == 0;
  }
  if (!field->base_addr && !empty) {
    refuse(call, THALWEG_ERROR_ARGUMENT, "field is not allocated or not associated");
  } else if (field->rank > 0 && extent[0] == -1) {
    refuse(call, THALWEG_ERROR_ARGUMENT, "field is of assumed size; give its bounds, for example field(1:n)");
  }
  if (!is_text(field) || field->elem_len == 1) return field->rank;
  extent[field->rank] = (int64_t)field->elem_len;
  stride[field->rank] = 1;
  return field->rank + 1;
}

#endif
