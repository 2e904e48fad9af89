/* Bodies of the interfaces in thalweg_nf90.f90, on the calls of thalweg_netcdf.h. Numbers of dimensions and variables
 * are those of C plus one, as netCDF-Fortran has them. */
#include "thalweg_netcdf.h"

#include "descriptors.h"

/* Whose files nf90_create makes. */
static thalweg_session* session_of_files;

/* Of the last call that had an error of Thalweg; 0: what has failed since is netCDF's. */
static _Thread_local int last_code;

static int end(Call* call) {
  if (call->code != THALWEG_OK) last_code = call->code;
  for (int i = 0; i < call->owned_count; ++i) free(call->owned[i]);
  return call->code;
}

/* The number that netCDF has for a type. */
static thalweg_nc_type xtype_of(thalweg_type type) {
  static const thalweg_nc_type numbers[] = {
      [THALWEG_INT8] = THALWEG_NC_BYTE,   [THALWEG_CHAR] = THALWEG_NC_CHAR,     [THALWEG_INT16] = THALWEG_NC_SHORT,
      [THALWEG_INT32] = THALWEG_NC_INT,   [THALWEG_FLOAT32] = THALWEG_NC_FLOAT, [THALWEG_FLOAT64] = THALWEG_NC_DOUBLE,
      [THALWEG_UINT8] = THALWEG_NC_UBYTE, [THALWEG_UINT16] = THALWEG_NC_USHORT, [THALWEG_UINT32] = THALWEG_NC_UINT,
      [THALWEG_INT64] = THALWEG_NC_INT64, [THALWEG_UINT64] = THALWEG_NC_UINT64};
  return numbers[type];
}

static int is_true(const void* logical) {
  return logical && (*(const unsigned char*)logical & 1);
}

void thw_nf90_session(thalweg_session* const* session) {
  session_of_files = *session;
}

int thw_nf90_create(const Array* path, const int* cmode, int* ncid, const int* initialsize, const int* chunksize,
                    const int* comm, const int* info) {
  (void)initialsize, (void)chunksize, (void)comm, (void)info;
  Call call = {.procedure = "nf90_create"};
  const char* name = call.subject = c_text(&call, path);
  if (!session_of_files) refuse(&call, THALWEG_ERROR_STATE, "no session is known; call nf90_session behind thw_start");
  if (call.code == THALWEG_OK) result(&call, thalweg_nc_create(session_of_files, name, *cmode, ncid));
  return end(&call);
}

int thw_nf90_redef(const int* ncid) {
  (void)ncid;
  return THALWEG_OK;
}

int thw_nf90_enddef(const int* ncid, const int* h_minfree, const int* v_align, const int* v_minfree,
                    const int* r_align) {
  (void)ncid, (void)h_minfree, (void)v_align, (void)v_minfree, (void)r_align;
  return THALWEG_OK;
}

int thw_nf90_sync(const int* ncid) {
  Call call = {.procedure = "nf90_sync"};
  result(&call, thalweg_nc_sync(*ncid));
  return end(&call);
}

int thw_nf90_close(const int* ncid) {
  Call call = {.procedure = "nf90_close"};
  result(&call, thalweg_nc_close(*ncid));
  return end(&call);
}

/* ---- definitions ---- */

int thw_nf90_def_dim(const int* ncid, const Array* name, const int* len, int* dimid) {
  Call call = {.procedure = "nf90_def_dim"};
  const char* c_name = call.subject = c_text(&call, name);
  int number = -1;
  if (call.code == THALWEG_OK) result(&call, thalweg_nc_def_dim(*ncid, c_name, *len, &number));
  *dimid = number + 1;
  return end(&call);
}

static void define(Call* call, const int* ncid, const Array* name, const int* xtype, int ndims, const int* dimids,
                   int* varid) {
  const char* c_name = call->subject = c_text(call, name);
  int number = -1;
  if (call->code == THALWEG_OK) result(call, thalweg_nc_def_var(*ncid, c_name, *xtype, ndims, dimids, &number));
  *varid = number + 1;
}

int thw_nf90_def_scalar(const int* ncid, const Array* name, const int* xtype, int* varid) {
  Call call = {.procedure = "nf90_def_var"};
  define(&call, ncid, name, xtype, 0, NULL, varid);
  return end(&call);
}

/* One, or an array of them: from 0, slowest first. */
static int* c_dimids(Call* call, const Array* dimids, int* count) {
  require_integer(call, "dimids", dimids);
  if (dimids->rank > 1) refuse(call, THALWEG_ERROR_ARGUMENT, "dimids must be a scalar or have rank 1");
  if (call->code != THALWEG_OK) return NULL;
  *count = dimids->rank == 0 ? 1 : (int)dimids->dim[0].extent;
  int* numbers = own(call, *count * sizeof(int));
  for (int i = 0; numbers && i < *count; ++i) {
    const char* at = (const char*)dimids->base_addr + (dimids->rank == 0 ? 0 : i * dimids->dim[0].sm);
    numbers[*count - 1 - i] = (int)integer_at(dimids, at) - 1;
  }
  return numbers;
}

int thw_nf90_def_field(const int* ncid, const Array* name, const int* xtype, const Array* dimids, int* varid,
                       const void* contiguous, const Array* chunksizes, const int* deflate_level, const void* shuffle,
                       const void* fletcher32, const int* endianness) {
  (void)contiguous, (void)chunksizes, (void)fletcher32, (void)endianness;
  Call call = {.procedure = "nf90_def_var"};
  int count = 0;
  const int* numbers = c_dimids(&call, dimids, &count);
  define(&call, ncid, name, xtype, count, numbers, varid);
  const int level = deflate_level ? *deflate_level : 0;
  if (call.code == THALWEG_OK && (level > 0 || is_true(shuffle)))
    result(&call, thalweg_nc_def_var_deflate(*ncid, *varid - 1, is_true(shuffle), level));
  return end(&call);
}

int thw_nf90_def_var_deflate(const int* ncid, const int* varid, const int* shuffle, const int* deflate,
                             const int* deflate_level) {
  Call call = {.procedure = "nf90_def_var_deflate"};
  result(&call, thalweg_nc_def_var_deflate(*ncid, *varid - 1, *shuffle, *deflate != 0 ? *deflate_level : 0));
  return end(&call);
}

int thw_nf90_def_var_chunking(const int* ncid, const int* varid, const int* contiguous, const Array* chunksizes) {
  (void)ncid, (void)varid, (void)contiguous, (void)chunksizes;
  return THALWEG_OK;
}

static void give(Call* call, int ncid, int varid, const char* name, const Array* values) {
  const thalweg_type type = type_in_memory(call, "values", values);
  int count = 0;
  const void* c_array = c_values(call, "values", values, &count);
  if (is_text(values)) { /* netCDF-Fortran leaves trailing blanks out */
    count *= (int)values->elem_len;
    while (c_array && count > 0 && ((const char*)c_array)[count - 1] == ' ') --count;
  }
  if (call->code == THALWEG_OK) result(call, thalweg_nc_put_att(ncid, varid - 1, name, xtype_of(type), count, c_array));
}

int thw_nf90_def_var_fill(const int* ncid, const int* varid, const int* no_fill, const Array* fill_value) {
  Call call = {.procedure = "nf90_def_var_fill"};
  if (*no_fill == 0) give(&call, *ncid, *varid, "_FillValue", fill_value);
  return end(&call);
}

int thw_nf90_put_att(const int* ncid, const int* varid, const Array* name, const Array* values) {
  Call call = {.procedure = "nf90_put_att"};
  const char* c_name = call.subject = c_text(&call, name);
  if (call.code == THALWEG_OK) give(&call, *ncid, *varid, c_name, values);
  return end(&call);
}

int thw_nf90_set_fill(const int* ncid, const int* fillmode, int* old_mode) {
  (void)ncid, (void)fillmode;
  *old_mode = 256; /* nf90_nofill */
  return THALWEG_OK;
}

/* ---- values ---- */

/* Slowest first, as many as there are; none where it is absent. */
static const int64_t* c_place(Call* call, const char* argument, const Array* array, int64_t shift, int* count) {
  *count = 0;
  if (!array) return NULL;
  if (array->rank != 1) {
    refuse(call, THALWEG_ERROR_ARGUMENT, "%s must have rank 1", argument);
    return NULL;
  }
  *count = (int)array->dim[0].extent;
  return c_rows(call, argument, array, *count, 1, shift);
}

static void refuse_gaps(Call* call, const Array* stride, const Array* map) {
  int count = 0;
  const int64_t* steps = c_place(call, "stride", stride, 0, &count);
  for (int d = 0; steps && d < count; ++d)
    if (steps[d] != 1) refuse(call, THALWEG_ERROR_ARGUMENT, "stride is not 1; put parts without gaps");
  if (map) refuse(call, THALWEG_ERROR_ARGUMENT, "map is given; put a section of the array, in the file's order");
}

int thw_nf90_put_var(const int* ncid, const int* varid, const Array* values, const Array* start, const Array* count,
                     const Array* stride, const Array* map) {
  Call call = {.procedure = "nf90_put_var"};
  int64_t extent[CFI_MAX_RANK + 1], steps[CFI_MAX_RANK + 1];
  refuse_gaps(&call, stride, map);
  int starts = 0, counts = 0;
  const int64_t* c_start = c_place(&call, "start", start, -1, &starts);
  const int64_t* c_count = c_place(&call, "count", count, 0, &counts);
  const int rank = c_shape(&call, values, extent, steps);
  const thalweg_type type = type_in_memory(&call, "values", values);
  if (call.code == THALWEG_OK)
    result(&call, thalweg_nc_put_vara(*ncid, *varid - 1, starts, c_start, counts, c_count, values->base_addr,
                                      xtype_of(type), rank, extent, steps));
  return end(&call);
}

int thw_nf90_var_par_access(const int* ncid, const int* varid, const int* access) {
  (void)ncid, (void)varid, (void)access;
  return THALWEG_OK;
}

int thw_nf90_inq_own(const int* ncid, int* own) {
  Call call = {.procedure = "nf90_inq_own"};
  result(&call, thalweg_nc_inq_own(*ncid, own));
  return end(&call);
}

int thw_nf90_refuse_write(const Array* path) {
  Call call = {.procedure = "nf90_open"};
  call.subject = c_text(&call, path);
  refuse(&call, THALWEG_ERROR_STATE,
         "nf90_write, but no file that is there can be written on; nf90_create makes the next one, or open it with "
         "nf90_nowrite to read it");
  return end(&call);
}

/* What is told where it is asked for. */
static void tell(int* to, int value) {
  if (to) *to = value;
}

static void tell_text(const Array* to, const char* text) {
  if (to) fill(to, text);
}

int thw_nf90_inquire(const int* ncid, int* nDimensions, int* nVariables, int* nAttributes, int* unlimitedDimId,
                     int* formatNum) {
  Call call = {.procedure = "nf90_inquire"};
  int unlimited = -1;
  result(&call, thalweg_nc_inq(*ncid, nDimensions, nVariables, nAttributes, &unlimited));
  tell(unlimitedDimId, unlimited < 0 ? -1 : unlimited + 1);
  if (formatNum && call.code == THALWEG_OK) result(&call, thalweg_nc_inq_format(*ncid, formatNum));
  return end(&call);
}

int thw_nf90_inquire_dimension(const int* ncid, const int* dimid, const Array* name, int* len) {
  Call call = {.procedure = "nf90_inquire_dimension"};
  char text[THALWEG_NC_MAX_NAME + 1] = "";
  int64_t size = 0;
  result(&call, thalweg_nc_inq_dim(*ncid, *dimid - 1, text, &size));
  tell_text(name, text);
  tell(len, (int)size);
  return end(&call);
}

int thw_nf90_inquire_variable(const int* ncid, const int* varid, const Array* name, int* xtype, int* ndims,
                              const Array* dimids, int* nAtts) {
  Call call = {.procedure = "nf90_inquire_variable"};
  char text[THALWEG_NC_MAX_NAME + 1] = "";
  thalweg_nc_type type = 0;
  int count = 0, numbers[THALWEG_MAX_RANK];
  result(&call, thalweg_nc_inq_var(*ncid, *varid - 1, text, &type, &count, numbers, nAtts));
  tell_text(name, text);
  tell(xtype, type);
  tell(ndims, count);
  if (!dimids || call.code != THALWEG_OK) return end(&call);
  if (dimids->rank != 1 || dimids->elem_len != sizeof(int) || dimids->dim[0].extent < count)
    refuse(&call, THALWEG_ERROR_ARGUMENT, "dimids has no room for %d integers", count);
  for (int d = 0; call.code == THALWEG_OK && d < count; ++d)
    *(int*)((char*)dimids->base_addr + d * dimids->dim[0].sm) = numbers[count - 1 - d] + 1;
  return end(&call);
}

int thw_nf90_inq_attname(const int* ncid, const int* varid, const int* attnum, const Array* name) {
  Call call = {.procedure = "nf90_inq_attname"};
  char text[THALWEG_NC_MAX_NAME + 1] = "";
  result(&call, thalweg_nc_inq_attname(*ncid, *varid - 1, *attnum - 1, text));
  tell_text(name, text);
  return end(&call);
}

int thw_nf90_inquire_attribute(const int* ncid, const int* varid, const Array* name, int* xtype, int* len,
                               int* attnum) {
  Call call = {.procedure = "nf90_inquire_attribute"};
  const char* c_name = c_text(&call, name);
  thalweg_nc_type type = 0;
  if (call.code == THALWEG_OK) result(&call, thalweg_nc_inq_att(*ncid, *varid - 1, c_name, &type, len));
  tell(xtype, type);
  char text[THALWEG_NC_MAX_NAME + 1] = "";
  for (int number = 0; attnum && call.code == THALWEG_OK && strcmp(text, c_name) != 0; ++number) {
    result(&call, thalweg_nc_inq_attname(*ncid, *varid - 1, number, text));
    *attnum = number + 1;
  }
  return end(&call);
}

int thw_nf90_inq_dimid(const int* ncid, const Array* name, int* dimid) {
  Call call = {.procedure = "nf90_inq_dimid"};
  const char* c_name = c_text(&call, name);
  int number = -1;
  if (call.code == THALWEG_OK) result(&call, thalweg_nc_inq_dimid(*ncid, c_name, &number));
  *dimid = number + 1;
  return end(&call);
}

int thw_nf90_inq_varid(const int* ncid, const Array* name, int* varid) {
  Call call = {.procedure = "nf90_inq_varid"};
  const char* c_name = c_text(&call, name);
  int number = -1;
  if (call.code == THALWEG_OK) result(&call, thalweg_nc_inq_varid(*ncid, c_name, &number));
  *varid = number + 1;
  return end(&call);
}

int thw_nf90_last_code(int* code) {
  *code = last_code;
  return THALWEG_OK;
}

int thw_nf90_note_code(const int* code) {
  last_code = *code;
  return THALWEG_OK;
}

void thw_nf90_error_text(const Array* text) {
  fill(text, last_text());
}
