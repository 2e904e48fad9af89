/* The functions of thalweg.h that read. A model cannot go on with values that nobody has read, so here an error says it
 * where the input is opened, and there is none that the others could be given. */
#include "stub.h"

static int refuse_reading(void) {
  return stub_refuse(THALWEG_ERROR_ARGUMENT, "the input is none that was opened: the stub of Thalweg reads no files");
}

int thalweg_open_input(thalweg_session* session, const char* path, thalweg_input** input) {
  (void)session;
  if (!path) return stub_refuse_null("path");
  if (!input) return stub_refuse_null("input");
  *input = NULL;
  return stub_refuse(THALWEG_ERROR_STORAGE,
                     "input '%s': the stub of Thalweg reads no files; link the model with libthalweg in its place, or "
                     "have it begin without an input",
                     path);
}

int thalweg_restore(thalweg_collection* collection, const char* path, int64_t record, double* time_s) {
  (void)collection, (void)record, (void)time_s;
  return stub_refuse(
      THALWEG_ERROR_STORAGE,
      "'%s': the stub of Thalweg reads no files; link the model with libthalweg in its place, or have it "
      "begin without a restart",
      path && *path ? path : "newest file");
}

int thalweg_input_records(const thalweg_input* input, int64_t* records) {
  (void)input, (void)records;
  return refuse_reading();
}

int thalweg_input_variable(const thalweg_input* input, const char* variable, thalweg_type* type, int* has_records,
                           int* rank, int64_t* shape) {
  (void)input, (void)variable, (void)type, (void)has_records, (void)rank, (void)shape;
  return refuse_reading();
}

int thalweg_input_record_at(const thalweg_input* input, double time_s, int64_t* record) {
  (void)input, (void)time_s, (void)record;
  return refuse_reading();
}

int thalweg_input_variables(const thalweg_input* input, int* number) {
  (void)input, (void)number;
  return refuse_reading();
}

int thalweg_input_variable_name(const thalweg_input* input, int number, const char** name) {
  (void)input, (void)number, (void)name;
  return refuse_reading();
}

int thalweg_input_dimensions(const thalweg_input* input, const char* variable, int* number, const char** names) {
  (void)input, (void)variable, (void)number, (void)names;
  return refuse_reading();
}

int thalweg_input_packing(const thalweg_input* input, const char* variable, int* is_packed, double* scale,
                          double* offset) {
  (void)input, (void)variable, (void)is_packed, (void)scale, (void)offset;
  return refuse_reading();
}

int thalweg_input_attributes(const thalweg_input* input, const char* variable, int* number) {
  (void)input, (void)variable, (void)number;
  return refuse_reading();
}

int thalweg_input_attribute_name(const thalweg_input* input, const char* variable, int number, const char** name) {
  (void)input, (void)variable, (void)number, (void)name;
  return refuse_reading();
}

int thalweg_input_attribute(const thalweg_input* input, const char* variable, const char* name, thalweg_type* type,
                            int* count, const void** values) {
  (void)input, (void)variable, (void)name, (void)type, (void)count, (void)values;
  return refuse_reading();
}

int thalweg_input_times(const thalweg_input* input, double* times_s) {
  (void)input, (void)times_s;
  return refuse_reading();
}

int thalweg_select_input(thalweg_input* input, const char* variable, const char* selection) {
  (void)input, (void)variable, (void)selection;
  return refuse_reading();
}

int thalweg_declare_input(thalweg_input* input, const char* variable, const char* dims,
                          const thalweg_decomposition* decomposition, const char* memory_dims, const char* periodic) {
  (void)input, (void)variable, (void)dims, (void)decomposition, (void)memory_dims, (void)periodic;
  return refuse_reading();
}

int thalweg_set_missing(thalweg_input* input, const char* variable, double value) {
  (void)input, (void)variable, (void)value;
  return refuse_reading();
}

int thalweg_get(thalweg_input* input, const char* variable, int64_t record, void* data, thalweg_type type, int rank,
                const int64_t* extent, const int64_t* stride) {
  (void)input, (void)variable, (void)record, (void)data, (void)type, (void)rank, (void)extent, (void)stride;
  return refuse_reading();
}

int thalweg_get_box(thalweg_input* input, const char* variable, int64_t record, int box, void* data, thalweg_type type,
                    int rank, const int64_t* extent, const int64_t* stride) {
  (void)input, (void)variable, (void)record, (void)box, (void)data, (void)type, (void)rank, (void)extent, (void)stride;
  return refuse_reading();
}

int thalweg_get_at(thalweg_input* input, const char* variable, double time_s, void* data, thalweg_type type, int rank,
                   const int64_t* extent, const int64_t* stride) {
  (void)input, (void)variable, (void)time_s, (void)data, (void)type, (void)rank, (void)extent, (void)stride;
  return refuse_reading();
}

int thalweg_get_box_at(thalweg_input* input, const char* variable, double time_s, int box, void* data,
                       thalweg_type type, int rank, const int64_t* extent, const int64_t* stride) {
  (void)input, (void)variable, (void)time_s, (void)box, (void)data, (void)type, (void)rank, (void)extent, (void)stride;
  return refuse_reading();
}

int thalweg_close_input(thalweg_input** input) {
  (void)input;
  return refuse_reading();
}
