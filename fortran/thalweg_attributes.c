/* Bodies of the interfaces in thalweg_attributes.f90, as thalweg_fortran.c has those of the others. */
#include "descriptors.h"

typedef int GiveText(thalweg_collection*, const char* variable, const char* name, const char* text);
typedef int GiveNumbers(thalweg_collection*, const char* variable, const char* name, thalweg_type, int count,
                        const void* values);

static void give_text(const char* procedure, GiveText* give, thalweg_collection* collection, const Array* name,
                      const Array* text, const Array* variable, int* stat, const Array* errmsg) {
  Call call = {.procedure = procedure};
  const char* c_name = c_text(&call, name);
  const char* c_variable = c_text(&call, variable);
  const char* value = c_text(&call, text);
  if (call.code == THALWEG_OK) result(&call, give(collection, c_variable, c_name, value));
  end_call(&call, stat, errmsg);
}

static void give_numbers(const char* procedure, GiveNumbers* give, thalweg_collection* collection, const Array* name,
                         const Array* values, const Array* variable, int* stat, const Array* errmsg) {
  Call call = {.procedure = procedure};
  const char* c_name = call.subject = c_text(&call, name);
  const char* c_variable = c_text(&call, variable);
  const thalweg_type type = element_type(&call, "values", values);
  int count = 0;
  const void* first = c_values(&call, "values", values, &count);
  if (call.code == THALWEG_OK) result(&call, give(collection, c_variable, c_name, type, count, first));
  end_call(&call, stat, errmsg);
}

void thw_define_text(thalweg_collection* const* collection, const Array* name, const Array* text, const Array* variable,
                     int* stat, const Array* errmsg) {
  give_text("thw_define_text", thalweg_define_text, *collection, name, text, variable, stat, errmsg);
}

void thw_define_attribute(thalweg_collection* const* collection, const Array* name, const Array* values,
                          const Array* variable, int* stat, const Array* errmsg) {
  give_numbers("thw_define_attribute", thalweg_define_attribute, *collection, name, values, variable, stat, errmsg);
}

void thw_change_text(thalweg_collection* const* collection, const Array* name, const Array* text, const Array* variable,
                     int* stat, const Array* errmsg) {
  give_text("thw_change_text", thalweg_change_text, *collection, name, text, variable, stat, errmsg);
}

void thw_change_attribute(thalweg_collection* const* collection, const Array* name, const Array* values,
                          const Array* variable, int* stat, const Array* errmsg) {
  give_numbers("thw_change_attribute", thalweg_change_attribute, *collection, name, values, variable, stat, errmsg);
}

void thw_add_text(thalweg_collection* const* collection, const Array* name, const Array* text, const Array* variable,
                  int* stat, const Array* errmsg) {
  give_text("thw_add_text", thalweg_add_text, *collection, name, text, variable, stat, errmsg);
}

void thw_add_attribute(thalweg_collection* const* collection, const Array* name, const Array* values,
                       const Array* variable, int* stat, const Array* errmsg) {
  give_numbers("thw_add_attribute", thalweg_add_attribute, *collection, name, values, variable, stat, errmsg);
}
