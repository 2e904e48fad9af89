/* The functions of thalweg.h that a collection is given to, and those of no session. */
#include "stub.h"

int thalweg_register_procedure(const char* collection, thalweg_write_procedure procedure, void* user) {
  (void)collection, (void)procedure, (void)user;
  return THALWEG_OK;
}

int thalweg_set_procedure(thalweg_collection* collection, thalweg_write_procedure procedure, void* user) {
  (void)collection, (void)procedure, (void)user;
  return THALWEG_OK;
}

int thalweg_define_dimension(thalweg_collection* collection, const char* name, int64_t size) {
  (void)collection, (void)name, (void)size;
  return THALWEG_OK;
}

int thalweg_define_variable(thalweg_collection* collection, const char* name, const char* dims, thalweg_type type,
                            const thalweg_decomposition* decomposition, const char* memory_dims) {
  (void)collection, (void)name, (void)dims, (void)type, (void)decomposition, (void)memory_dims;
  return THALWEG_OK;
}

int thalweg_define_text(thalweg_collection* collection, const char* variable, const char* name, const char* text) {
  (void)collection, (void)variable, (void)name, (void)text;
  return THALWEG_OK;
}

int thalweg_define_attribute(thalweg_collection* collection, const char* variable, const char* name, thalweg_type type,
                             int count, const void* values) {
  (void)collection, (void)variable, (void)name, (void)type, (void)count, (void)values;
  return THALWEG_OK;
}

int thalweg_change_text(thalweg_collection* collection, const char* variable, const char* name, const char* text) {
  (void)collection, (void)variable, (void)name, (void)text;
  return THALWEG_OK;
}

int thalweg_change_attribute(thalweg_collection* collection, const char* variable, const char* name, thalweg_type type,
                             int count, const void* values) {
  (void)collection, (void)variable, (void)name, (void)type, (void)count, (void)values;
  return THALWEG_OK;
}

int thalweg_add_text(thalweg_collection* collection, const char* variable, const char* name, const char* text) {
  (void)collection, (void)variable, (void)name, (void)text;
  return THALWEG_OK;
}

int thalweg_add_attribute(thalweg_collection* collection, const char* variable, const char* name, thalweg_type type,
                          int count, const void* values) {
  (void)collection, (void)variable, (void)name, (void)type, (void)count, (void)values;
  return THALWEG_OK;
}

int thalweg_put(thalweg_collection* collection, const char* variable, const void* data, thalweg_type type, int rank,
                const int64_t* extent, const int64_t* stride) {
  (void)collection, (void)variable, (void)data, (void)type, (void)rank, (void)extent, (void)stride;
  return THALWEG_OK;
}

int thalweg_put_box(thalweg_collection* collection, const char* variable, int box, const void* data, thalweg_type type,
                    int rank, const int64_t* extent, const int64_t* stride) {
  (void)box;
  return thalweg_put(collection, variable, data, type, rank, extent, stride);
}

int thalweg_register_array(thalweg_collection* collection, const char* variable, void* data, thalweg_type type,
                           int rank, const int64_t* extent, const int64_t* stride) {
  (void)collection, (void)variable, (void)data, (void)type, (void)rank, (void)extent, (void)stride;
  return THALWEG_OK;
}

int thalweg_register_box(thalweg_collection* collection, const char* variable, int box, void* data, thalweg_type type,
                         int rank, const int64_t* extent, const int64_t* stride) {
  (void)box;
  return thalweg_register_array(collection, variable, data, type, rank, extent, stride);
}

int thalweg_put_arrays(thalweg_collection* collection) {
  (void)collection;
  return THALWEG_OK;
}

/* No record is ever closed, and a model need not compute what only output asks for. */
int thalweg_is_due(const thalweg_collection* collection, int* due) {
  (void)collection;
  if (!due) return stub_refuse_null("due");
  *due = 0;
  return THALWEG_OK;
}

int thalweg_record(thalweg_collection* collection, double time_s) {
  (void)collection, (void)time_s;
  return THALWEG_OK;
}

int thalweg_new_file(thalweg_collection* collection, const char* file) {
  (void)collection, (void)file;
  return THALWEG_OK;
}

int thalweg_close_file(thalweg_collection* collection) {
  (void)collection;
  return THALWEG_OK;
}

int thalweg_wait_collection(thalweg_collection* collection) {
  (void)collection;
  return THALWEG_OK;
}

/* The file stays as it is, for the library to recover. */
int thalweg_recover(const char* partial, int64_t* records) {
  (void)partial;
  if (records) *records = 0;
  return THALWEG_OK;
}
