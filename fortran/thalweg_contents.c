/* Bodies of the interfaces in thalweg_contents.f90, as thalweg_fortran.c has those of the others. Numbers are those of
 * C plus one. */
#include "descriptors.h"

int thw_input_variables(thalweg_input* const* input, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_input_variables"};
  int number = 0;
  result(&call, thalweg_input_variables(*input, &number));
  end_call(&call, stat, errmsg);
  return number;
}

/* Of one that C has no number for, a number that it refuses. */
static int c_number(Call* call, const Array* number) {
  const int64_t from_one = c_integer(call, "number", number);
  return from_one >= 1 && from_one <= INT32_MAX ? (int)from_one - 1 : -1;
}

void thw_input_variable_name(thalweg_input* const* input, const Array* number, const Array* name, int* stat,
                             const Array* errmsg) {
  Call call = {.procedure = "thw_input_variable_name"};
  const char* found = "";
  const int c = c_number(&call, number);
  if (call.code == THALWEG_OK) result(&call, thalweg_input_variable_name(*input, c, &found));
  fill_whole(&call, name, found);
  end_call(&call, stat, errmsg);
}

/* The names in the order of Fortran, with commas. */
static void fill_names(Call* call, const Array* dims, int count, const char* const* names) {
  size_t length = 1;
  for (int d = 0; d < count; ++d) length += strlen(names[d]) + 1;
  char* list = own(call, length);
  if (!list) return;
  *list = '\0';
  for (int d = count - 1; d >= 0; --d) {
    strcat(list, names[d]);
    if (d > 0) strcat(list, ",");
  }
  fill_whole(call, dims, list);
}

void thw_input_dimensions(thalweg_input* const* input, const Array* variable, const Array* dims, int* stat,
                          const Array* errmsg) {
  Call call = {.procedure = "thw_input_dimensions"};
  const char* names[THALWEG_MAX_RANK + 1];
  int count = 0;
  const char* name = call.subject = c_text(&call, variable);
  if (call.code == THALWEG_OK) result(&call, thalweg_input_dimensions(*input, name, &count, names));
  if (call.code == THALWEG_OK) fill_names(&call, dims, count, names);
  end_call(&call, stat, errmsg);
}

void thw_input_packing(thalweg_input* const* input, const Array* variable, const Array* is_packed, double* scale,
                       double* offset, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_input_packing"};
  int packs = 0;
  const char* name = call.subject = c_text(&call, variable);
  if (call.code == THALWEG_OK) result(&call, thalweg_input_packing(*input, name, &packs, scale, offset));
  if (call.code == THALWEG_OK) give_logical(is_packed, packs);
  end_call(&call, stat, errmsg);
}

int thw_input_attributes(thalweg_input* const* input, const Array* variable, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_input_attributes"};
  int number = 0;
  const char* name = call.subject = c_text(&call, variable);
  if (call.code == THALWEG_OK) result(&call, thalweg_input_attributes(*input, name, &number));
  end_call(&call, stat, errmsg);
  return number;
}

void thw_input_attribute_name(thalweg_input* const* input, const Array* number, const Array* name,
                              const Array* variable, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_input_attribute_name"};
  const char* found = "";
  const int c = c_number(&call, number);
  const char* c_variable = call.subject = c_text(&call, variable);
  if (call.code == THALWEG_OK) result(&call, thalweg_input_attribute_name(*input, c_variable, c, &found));
  fill_whole(&call, name, found);
  end_call(&call, stat, errmsg);
}

/* A number of any type; one of 64 bits without a sign that others have no room for is a real alone. */
typedef struct Number {
  int is_whole;
  int64_t whole;
  double real;
} Number;

static Number whole(int64_t value) {
  return (Number){1, value, (double)value};
}

static Number number_at(thalweg_type type, const void* values, int i) {
  switch (type) {
    case THALWEG_INT8: return whole(((const int8_t*)values)[i]);
    case THALWEG_INT16: return whole(((const int16_t*)values)[i]);
    case THALWEG_INT32: return whole(((const int32_t*)values)[i]);
    case THALWEG_INT64: return whole(((const int64_t*)values)[i]);
    case THALWEG_UINT8: return whole(((const uint8_t*)values)[i]);
    case THALWEG_UINT16: return whole(((const uint16_t*)values)[i]);
    case THALWEG_UINT32: return whole(((const uint32_t*)values)[i]);
    case THALWEG_UINT64: {
      const uint64_t value = ((const uint64_t*)values)[i];
      return value <= INT64_MAX ? whole((int64_t)value) : (Number){0, 0, (double)value};
    }
    case THALWEG_FLOAT32: return (Number){0, 0, ((const float*)values)[i]};
    default: return (Number){0, 0, ((const double*)values)[i]};
  }
}

/* Into an element of the array; 0: its type cannot hold the number. */
static int store(const Array* array, char* address, Number number) {
  if (is_real(array->type)) {
    if (array->elem_len == 4)
      *(float*)address = (float)number.real;
    else
      *(double*)address = number.real;
    return 1;
  }
  if (!number.is_whole) {
    if (!(number.real >= -9007199254740992.0 && number.real <= 9007199254740992.0)) return 0;
    number.whole = (int64_t)number.real;
    if ((double)number.whole != number.real) return 0;
  }
  switch (array->elem_len) {
    case 1: return (*(int8_t*)address = (int8_t)number.whole) == number.whole;
    case 2: return (*(int16_t*)address = (int16_t)number.whole) == number.whole;
    case 4: return (*(int32_t*)address = (int32_t)number.whole) == number.whole;
    default: *(int64_t*)address = number.whole; return 1;
  }
}

static void fill_numbers(Call* call, const Array* array, thalweg_type type, int count, const void* values) {
  element_type(call, "values", array);
  if (array->rank > 1) refuse(call, THALWEG_ERROR_ARGUMENT, "values must be a scalar or have rank 1");
  if (call->code != THALWEG_OK) return;
  const CFI_index_t room = array->rank == 0 ? 1 : array->dim[0].extent;
  const CFI_index_t stride = array->rank == 0 ? 0 : array->dim[0].sm;
  if (count > room)
    refuse(call, THALWEG_ERROR_ARGUMENT, "the attribute has %d values, and the array that is given room for %lld",
           count, (long long)room);
  for (int i = 0; call->code == THALWEG_OK && i < count; ++i) {
    const Number number = number_at(type, values, i);
    if (!store(array, (char*)array->base_addr + i * stride, number))
      refuse(call, THALWEG_ERROR_ARGUMENT, "the value %.17g is none that values of %zu bytes can hold; give reals",
             number.real, (size_t)array->elem_len);
  }
}

/* A text may have zeros within, which fill does not know. */
static void fill_text(Call* call, const Array* string, int count, const char* text) {
  if (string->rank > 0) refuse(call, THALWEG_ERROR_ARGUMENT, "values must be one text, as the attribute is");
  if (call->code == THALWEG_OK && string->elem_len < (size_t)count)
    refuse(call, THALWEG_ERROR_ARGUMENT, "the attribute has %d characters, and the text that is given room for %zu",
           count, (size_t)string->elem_len);
  if (call->code != THALWEG_OK) return;
  memcpy(string->base_addr, text, (size_t)count);
  memset((char*)string->base_addr + count, ' ', string->elem_len - (size_t)count);
}

void thw_input_attribute(thalweg_input* const* input, const Array* name, const Array* values, const Array* variable,
                         int* type, int* count, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_input_attribute"};
  thalweg_type found = THALWEG_CHAR;
  int length = 0;
  const void* first = NULL;
  const char* c_name = call.subject = c_text(&call, name);
  const char* c_variable = c_text(&call, variable);
  if (call.code == THALWEG_OK)
    result(&call, thalweg_input_attribute(*input, c_variable, c_name, &found, &length, &first));
  if (call.code == THALWEG_OK && type) *type = (int)found;
  if (call.code == THALWEG_OK && count) *count = length;
  if (call.code == THALWEG_OK && values) {
    if (is_text(values) != (found == THALWEG_CHAR))
      refuse(&call, THALWEG_ERROR_ARGUMENT, "the attribute is %s, and values are %s",
             found == THALWEG_CHAR ? "a text" : "numbers", is_text(values) ? "a text" : "numbers");
    else if (found == THALWEG_CHAR)
      fill_text(&call, values, length, first);
    else
      fill_numbers(&call, values, found, length, first);
  }
  end_call(&call, stat, errmsg);
}

void thw_input_times(thalweg_input* const* input, Array* times, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_input_times"};
  int64_t records = 0;
  result(&call, thalweg_input_records(*input, &records));
  double* found = call.code == THALWEG_OK ? own(&call, sizeof(double) * (size_t)records) : NULL;
  if (found) result(&call, thalweg_input_times(*input, found));
  if (call.code == THALWEG_OK) {
    const CFI_index_t lower[] = {1}, upper[] = {records};
    if (times->base_addr) CFI_deallocate(times);
    if (CFI_allocate(times, lower, upper, sizeof(double)) != CFI_SUCCESS)
      refuse(&call, THALWEG_ERROR_MEMORY, "no memory for %lld times", (long long)records);
    else
      memcpy(times->base_addr, found, sizeof(double) * (size_t)records);
  }
  end_call(&call, stat, errmsg);
}

void thw_select_input(thalweg_input* const* input, const Array* variable, const Array* selection, int* stat,
                      const Array* errmsg) {
  Call call = {.procedure = "thw_select_input"};
  const char* name = call.subject = c_text(&call, variable);
  const char* text = c_text(&call, selection);
  if (call.code == THALWEG_OK) result(&call, thalweg_select_input(*input, name, text));
  end_call(&call, stat, errmsg);
}
