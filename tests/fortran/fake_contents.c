/* The calls of thalweg.h that say what is in an input, of a core that writes down what it is called with. It has two
 * variables, and attributes of which each is of another kind. */
#include <string.h>

#include "fake_record.h"
#include "thalweg.h"

static void begin_contents(const char* call, const char* variable) {
  begin(call);
  note_text("variable", variable);
}

int thalweg_input_variables(const thalweg_input* input, int* number) {
  (void)input;
  begin("input_variables");
  *number = 2;
  return end();
}

int thalweg_input_variable_name(const thalweg_input* input, int number, const char** name) {
  static const char* const names[] = {"temp", "depth"};
  (void)input;
  begin("input_variable_name");
  note(" number=%d", number);
  *name = number == 0 || number == 1 ? names[number] : "";
  return end();
}

int thalweg_input_dimensions(const thalweg_input* input, const char* variable, int* number, const char** names) {
  (void)input;
  begin_contents("input_dimensions", variable);
  *number = 3;
  names[0] = "time", names[1] = "lat", names[2] = "lon";
  return end();
}

int thalweg_input_packing(const thalweg_input* input, const char* variable, int* is_packed, double* scale,
                          double* offset) {
  (void)input;
  begin_contents("input_packing", variable);
  if (is_packed) *is_packed = 1;
  if (scale) *scale = 0.5;
  if (offset) *offset = -3.0;
  return end();
}

int thalweg_input_attributes(const thalweg_input* input, const char* variable, int* number) {
  (void)input;
  begin_contents("input_attributes", variable);
  *number = 2;
  return end();
}

int thalweg_input_attribute_name(const thalweg_input* input, const char* variable, int number, const char** name) {
  (void)input;
  begin_contents("input_attribute_name", variable);
  note(" number=%d", number);
  *name = number == 1 ? "range" : "units";
  return end();
}

/* "units" is a text, "large" too large for any signed number, "half" no whole one, and others are two of 16 bits. */
int thalweg_input_attribute(const thalweg_input* input, const char* variable, const char* name, thalweg_type* type,
                            int* count, const void** values) {
  static const int16_t range[] = {-300, 7};
  static const uint64_t large[] = {UINT64_C(1) << 63};
  static const double half[] = {0.5};
  (void)input;
  begin_contents("input_attribute", variable);
  note_text("name", name);
  *type = THALWEG_INT16, *count = 2, *values = range;
  if (strcmp(name, "units") == 0) *type = THALWEG_CHAR, *count = 4, *values = "degC";
  if (strcmp(name, "large") == 0) *type = THALWEG_UINT64, *count = 1, *values = large;
  if (strcmp(name, "half") == 0) *type = THALWEG_FLOAT64, *count = 1, *values = half;
  return end();
}

int thalweg_input_times(const thalweg_input* input, double* times_s) {
  (void)input;
  begin("input_times");
  for (int r = 0; r < 3; ++r) times_s[r] = 3600.0 * r;
  return end();
}

int thalweg_select_input(thalweg_input* input, const char* variable, const char* selection) {
  (void)input;
  begin_contents("select_input", variable);
  note_text("selection", selection);
  return end();
}
