/* Bodies of the interfaces in thalweg_attributes.f90, as thalweg_fortran.c has those of the others. */
#include "descriptors.h"

/* The values of an attribute. */
typedef struct Numbers {
  thalweg_type type;
  int count;
  const void* first;
} Numbers;

static Numbers c_numbers(Call* call, const Array* values) {
  Numbers numbers = {.type = element_type(call, "values", values)};
  numbers.first = c_values(call, "values", values, &numbers.count);
  return numbers;
}

void thw_define_text(thalweg_collection* const* collection, const Array* name, const Array* text, const Array* variable,
                     int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_define_text"};
  const char* c_name = c_text(&call, name);
  const char* c_variable = c_text(&call, variable);
  const char* value = c_text(&call, text);
  if (value && call.code == THALWEG_OK) result(&call, thalweg_define_text(*collection, c_variable, c_name, value));
  end_call(&call, stat, errmsg);
}

void thw_define_attribute(thalweg_collection* const* collection, const Array* name, const Array* values,
                          const Array* variable, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_define_attribute"};
  const char* c_name = call.subject = c_text(&call, name);
  const char* c_variable = c_text(&call, variable);
  const Numbers of = c_numbers(&call, values);
  if (call.code == THALWEG_OK) {
    result(&call, thalweg_define_attribute(*collection, c_variable, c_name, of.type, of.count, of.first));
  }
  end_call(&call, stat, errmsg);
}

void thw_change_text(thalweg_collection* const* collection, const Array* name, const Array* text, const Array* variable,
                     int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_change_text"};
  const char* c_name = c_text(&call, name);
  const char* c_variable = c_text(&call, variable);
  const char* value = c_text(&call, text);
  if (call.code == THALWEG_OK) result(&call, thalweg_change_text(*collection, c_variable, c_name, value));
  end_call(&call, stat, errmsg);
}

void thw_change_attribute(thalweg_collection* const* collection, const Array* name, const Array* values,
                          const Array* variable, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_change_attribute"};
  const char* c_name = call.subject = c_text(&call, name);
  const char* c_variable = c_text(&call, variable);
  const Numbers of = c_numbers(&call, values);
  if (call.code == THALWEG_OK) {
    result(&call, thalweg_change_attribute(*collection, c_variable, c_name, of.type, of.count, of.first));
  }
  end_call(&call, stat, errmsg);
}

void thw_add_text(thalweg_collection* const* collection, const Array* name, const Array* text, const Array* variable,
                  int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_add_text"};
  const char* c_name = c_text(&call, name);
  const char* c_variable = c_text(&call, variable);
  const char* value = c_text(&call, text);
  if (call.code == THALWEG_OK) result(&call, thalweg_add_text(*collection, c_variable, c_name, value));
  end_call(&call, stat, errmsg);
}

void thw_add_attribute(thalweg_collection* const* collection, const Array* name, const Array* values,
                       const Array* variable, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_add_attribute"};
  const char* c_name = call.subject = c_text(&call, name);
  const char* c_variable = c_text(&call, variable);
  const Numbers of = c_numbers(&call, values);
  if (call.code == THALWEG_OK) {
    result(&call, thalweg_add_attribute(*collection, c_variable, c_name, of.type, of.count, of.first));
  }
  end_call(&call, stat, errmsg);
}
