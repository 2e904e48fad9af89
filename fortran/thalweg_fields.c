/* Bodies of the interfaces in thalweg_fields.f90, as thalweg_fortran.c has those of the others. */
#include "descriptors.h"

void thw_define_field_dimension(thalweg_session* const* session, const Array* name, const Array* size, int* stat,
                                const Array* errmsg) {
  Call call = {.procedure = "thw_define_field_dimension"};
  const char* c_name = call.subject = c_text(&call, name);
  const int64_t c_size = c_integer(&call, "size", size);
  if (call.code == THALWEG_OK) result(&call, thalweg_define_field_dimension(*session, c_name, c_size));
  end_call(&call, stat, errmsg);
}

void thw_define_field(thalweg_session* const* session, thalweg_field** field, const Array* name, const Array* dims,
                      const int* type, thalweg_decomposition* const* decomposition, const Array* memory,
                      const void* is_static, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_define_field"};
  const char* c_name = call.subject = c_text(&call, name);
  const char* c_dims = c_names(&call, dims);
  const char* c_memory = c_names(&call, memory);
  thalweg_decomposition* spread = c_decomposition(&call, decomposition);
  if (call.code == THALWEG_OK)
    result(&call, thalweg_define_field(*session, c_name, c_dims, (thalweg_type)*type, spread, c_memory,
                                       c_logical(is_static), field));
  end_call(&call, stat, errmsg);
}

void thw_define_field_text(thalweg_field* const* field, const Array* name, const Array* text, int* stat,
                           const Array* errmsg) {
  Call call = {.procedure = "thw_define_field_text"};
  const char* c_name = c_text(&call, name);
  const char* value = c_text(&call, text);
  if (call.code == THALWEG_OK) result(&call, thalweg_define_field_text(*field, c_name, value));
  end_call(&call, stat, errmsg);
}

void thw_define_field_attribute(thalweg_field* const* field, const Array* name, const Array* values, int* stat,
                                const Array* errmsg) {
  Call call = {.procedure = "thw_define_field_attribute"};
  const char* c_name = call.subject = c_text(&call, name);
  const thalweg_type type = element_type(&call, "values", values);
  int count = 0;
  const void* first = c_values(&call, "values", values, &count);
  if (call.code == THALWEG_OK) result(&call, thalweg_define_field_attribute(*field, c_name, type, count, first));
  end_call(&call, stat, errmsg);
}

void thw_put_field(thalweg_field* const* field, const Array* array, const int* box, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_put_field"};
  int64_t extent[CFI_MAX_RANK + 1], stride[CFI_MAX_RANK + 1];
  const thalweg_type type = type_in_memory(&call, "array", array);
  const int rank = c_shape(&call, array, extent, stride);
  if (call.code == THALWEG_OK)
    result(&call, thalweg_put_field(*field, box ? *box - 1 : 0, array->base_addr, type, rank, extent, stride));
  end_call(&call, stat, errmsg);
}

static void require_shape_of(Call* call, const Array* mask, const Array* array) {
  int is_same = mask->rank == array->rank;
  for (int d = 0; is_same && d < mask->rank; ++d) is_same = mask->dim[d].extent == array->dim[d].extent;
  if (!is_same) refuse(call, THALWEG_ERROR_SHAPE, "mask has not the shape of array");
}

/* A logical of any kind is a number of its size. */
static thalweg_type type_of_mask(Call* call, const Array* mask) {
  if (is_real(mask->type)) return element_type(call, "mask", mask);
  switch (is_text(mask) ? 0 : mask->elem_len) {
    case 1: return THALWEG_INT8;
    case 2: return THALWEG_INT16;
    case 4: return THALWEG_INT32;
    case 8: return THALWEG_INT64;
    default: refuse(call, THALWEG_ERROR_ARGUMENT, "mask is neither logical nor of numbers"); return THALWEG_INT8;
  }
}

void thw_put_field_on(thalweg_field* const* field, const Array* array, const int* box, const Array* weight,
                      const Array* mask, const Array* start, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_put_field_on"};
  int64_t extent[CFI_MAX_RANK + 1], stride[CFI_MAX_RANK + 1], mask_stride[CFI_MAX_RANK + 1];
  thalweg_put_terms terms = {0};
  const thalweg_type type = type_in_memory(&call, "array", array);
  const double c_weight = weight ? c_real(&call, "weight", weight) : 0.0;
  if (weight) terms.weight = &c_weight;
  if (mask) {
    require_shape_of(&call, mask, array);
    terms.mask_type = type_of_mask(&call, mask);
    c_shape(&call, mask, extent, mask_stride);
    terms.mask = mask->base_addr;
    terms.mask_stride = mask_stride;
  }
  const int rank = c_shape(&call, array, extent, stride);
  if (start) terms.start = c_rows(&call, "start", start, rank, 1, -1);
  if (call.code == THALWEG_OK)
    result(&call,
           thalweg_put_field_on(*field, box ? *box - 1 : 0, &terms, array->base_addr, type, rank, extent, stride));
  end_call(&call, stat, errmsg);
}

void thw_step(thalweg_session* const* session, const Array* time, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_step"};
  const double seconds = c_real(&call, "time", time);
  if (call.code == THALWEG_OK) result(&call, thalweg_step(*session, seconds));
  end_call(&call, stat, errmsg);
}

void thw_checkpoint(thalweg_session* const* session, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_checkpoint"};
  result(&call, thalweg_checkpoint(*session));
  end_call(&call, stat, errmsg);
}

_Bool thw_is_wanted(thalweg_field* const* field) {
  Call call = {.procedure = "thw_is_wanted"};
  int wanted = 0;
  result(&call, thalweg_is_wanted(*field, &wanted));
  end_call(&call, NULL, NULL);
  return wanted != 0;
}

_Bool thw_is_wanted_now(thalweg_field* const* field) {
  Call call = {.procedure = "thw_is_wanted_now"};
  int wanted = 0;
  result(&call, thalweg_is_wanted_now(*field, &wanted));
  end_call(&call, NULL, NULL);
  return wanted != 0;
}
