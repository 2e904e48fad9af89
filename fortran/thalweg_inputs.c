/* Bodies of the interfaces in thalweg_inputs.f90, as thalweg_fortran.c has those of the others. Numbers of records are
 * those of C plus one. */
#include "descriptors.h"

void thw_open_input(thalweg_session* const* session, thalweg_input** input, const Array* path, int* stat,
                    const Array* errmsg) {
  Call call = {.procedure = "thw_open_input"};
  const char* c_path = c_text(&call, path);
  if (call.code == THALWEG_OK) result(&call, thalweg_open_input(*session, c_path, input));
  end_call(&call, stat, errmsg);
}

int64_t thw_input_records(thalweg_input* const* input, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_input_records"};
  int64_t records = 0;
  result(&call, thalweg_input_records(*input, &records));
  end_call(&call, stat, errmsg);
  return records;
}

static void give_shape(Call* call, Array* shape, int rank, const int64_t* extents) {
  const CFI_index_t lower[] = {1}, upper[] = {rank};
  if (!shape) return;
  if (shape->base_addr) CFI_deallocate(shape);
  if (CFI_allocate(shape, lower, upper, sizeof *extents) != CFI_SUCCESS) {
    refuse(call, THALWEG_ERROR_MEMORY, "no memory for the %d extents of shape", rank);
    return;
  }
  for (int d = 0; d < rank; ++d) ((int64_t*)shape->base_addr)[d] = extents[rank - 1 - d];
}

void thw_input_variable(thalweg_input* const* input, const Array* variable, int* type, const Array* has_records,
                        Array* shape, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_input_variable"};
  thalweg_type c_type = THALWEG_CHAR;
  int with_records = 0, rank = 0;
  int64_t extents[THALWEG_MAX_RANK];
  const char* name = call.subject = c_text(&call, variable);
  if (call.code == THALWEG_OK)
    result(&call, thalweg_input_variable(*input, name, &c_type, &with_records, &rank, extents));
  if (call.code == THALWEG_OK) {
    if (type) *type = (int)c_type;
    give_logical(has_records, with_records);
    give_shape(&call, shape, rank, extents);
  }
  end_call(&call, stat, errmsg);
}

int64_t thw_input_record_at(thalweg_input* const* input, const Array* time, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_input_record_at"};
  int64_t record = -1;
  const double seconds = c_real(&call, "time", time);
  if (call.code == THALWEG_OK) result(&call, thalweg_input_record_at(*input, seconds, &record));
  end_call(&call, stat, errmsg);
  return call.code == THALWEG_OK ? record + 1 : 0;
}

void thw_declare_input(thalweg_input* const* input, const Array* variable, const Array* dims,
                       thalweg_decomposition* const* decomposition, const Array* memory, const Array* periodic,
                       int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_declare_input"};
  const char* name = call.subject = c_text(&call, variable);
  const char* c_dims = c_names(&call, dims);
  const char* c_memory = c_names(&call, memory);
  const char* c_periodic = c_text(&call, periodic);
  thalweg_decomposition* spread = c_decomposition(&call, decomposition);
  if (call.code == THALWEG_OK) result(&call, thalweg_declare_input(*input, name, c_dims, spread, c_memory, c_periodic));
  end_call(&call, stat, errmsg);
}

void thw_set_missing(thalweg_input* const* input, const Array* variable, const Array* value, int* stat,
                     const Array* errmsg) {
  Call call = {.procedure = "thw_set_missing"};
  const char* name = call.subject = c_text(&call, variable);
  const double c_value = c_real(&call, "value", value);
  if (call.code == THALWEG_OK) result(&call, thalweg_set_missing(*input, name, c_value));
  end_call(&call, stat, errmsg);
}

/* An array that is not allocated is that of a rank that holds nothing: whether this one does, the core knows, and says
 * it on all ranks. */
void thw_get(thalweg_input* const* input, const Array* variable, const Array* field, const Array* record,
             const int* box, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_get"};
  int64_t extent[CFI_MAX_RANK + 1] = {0}, stride[CFI_MAX_RANK + 1] = {0};
  const char* name = call.subject = c_text(&call, variable);
  const thalweg_type type = type_in_memory(&call, "field", field);
  const int64_t number = record ? c_integer(&call, "record", record) - 1 : -1;
  const int rank = field->base_addr ? c_shape(&call, field, extent, stride) : field->rank;
  if (call.code == THALWEG_OK)
    result(&call, box ? thalweg_get_box(*input, name, number, *box - 1, field->base_addr, type, rank, extent, stride)
                      : thalweg_get(*input, name, number, field->base_addr, type, rank, extent, stride));
  end_call(&call, stat, errmsg);
}

/* As above. */
void thw_get_at(thalweg_input* const* input, const Array* variable, const Array* time, const Array* field,
                const int* box, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_get_at"};
  int64_t extent[CFI_MAX_RANK + 1] = {0}, stride[CFI_MAX_RANK + 1] = {0};
  const char* name = call.subject = c_text(&call, variable);
  const double seconds = c_real(&call, "time", time);
  const thalweg_type type = type_in_memory(&call, "field", field);
  const int rank = field->base_addr ? c_shape(&call, field, extent, stride) : field->rank;
  if (call.code == THALWEG_OK)
    result(&call,
           box ? thalweg_get_box_at(*input, name, seconds, *box - 1, field->base_addr, type, rank, extent, stride)
               : thalweg_get_at(*input, name, seconds, field->base_addr, type, rank, extent, stride));
  end_call(&call, stat, errmsg);
}

/* An array that is not allocated is that of a rank that holds nothing. */
void thw_register_array(thalweg_collection* const* collection, const Array* variable, const Array* field,
                        const int* box, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_register_array"};
  int64_t extent[CFI_MAX_RANK + 1] = {0}, stride[CFI_MAX_RANK + 1] = {0};
  const char* name = call.subject = c_text(&call, variable);
  const thalweg_type type = type_in_memory(&call, "field", field);
  const int rank = field->base_addr ? c_shape(&call, field, extent, stride) : field->rank;
  if (call.code == THALWEG_OK)
    result(&call, box ? thalweg_register_box(*collection, name, *box - 1, field->base_addr, type, rank, extent, stride)
                      : thalweg_register_array(*collection, name, field->base_addr, type, rank, extent, stride));
  end_call(&call, stat, errmsg);
}

void thw_put_arrays(thalweg_collection* const* collection, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_put_arrays"};
  result(&call, thalweg_put_arrays(*collection));
  end_call(&call, stat, errmsg);
}

void thw_restore(thalweg_collection* const* collection, const Array* path, const Array* record, double* time, int* stat,
                 const Array* errmsg) {
  Call call = {.procedure = "thw_restore"};
  const char* c_path = path ? c_text(&call, path) : NULL;
  const int64_t number = record ? c_integer(&call, "record", record) - 1 : -1;
  if (record && call.code == THALWEG_OK && number < 0)
    refuse(&call, THALWEG_ERROR_ARGUMENT, "record is %lld, but records count from 1", (long long)number + 1);
  if (call.code == THALWEG_OK) result(&call, thalweg_restore(*collection, c_path, number, time));
  end_call(&call, stat, errmsg);
}

void thw_close_input(thalweg_input** input, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_close_input"};
  result(&call, thalweg_close_input(input));
  end_call(&call, stat, errmsg);
}
