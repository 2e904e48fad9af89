/* The functions of thalweg_netcdf.h: what is declared can be asked for again, values are not looked at. A question for
 * something that is not there has the error of the library, because programs ask in order to find out. */
#include <string.h>

#include "files.h"

static int refuse_number(int ncid) {
  return stub_refuse(THALWEG_ERROR_ARGUMENT, "%d is the number of no open file", ncid);
}

static int refuse_unknown(const char* what, int number) {
  return stub_refuse(THALWEG_ERROR_NAME, "there is no %s with the number %d", what, number);
}

static int refuse_name(const char* what, const char* name) {
  return stub_refuse(THALWEG_ERROR_NAME, "there is no %s '%s'", what, name);
}

static int refuse_memory(const char* name) {
  return stub_refuse(THALWEG_ERROR_MEMORY, "no memory for '%s'", name);
}

static void tell(int* to, int value) {
  if (to) *to = value;
}

static void tell_name(char* to, const char* name) {
  if (to) memcpy(to, name, strlen(name) + 1);
}

/* ---- definitions ---- */

/* (source of the numbers: netcdf.h, NC_NETCDF4 and the like, NC_FORMAT_*) */
static int format_of(int mode) {
  if (mode & 0x1000) return 3;
  if (mode & 0x0020) return 5;
  if (mode & 0x0200) return 2;
  return 1;
}

int thalweg_nc_create(thalweg_session* session, const char* path, int mode, int* ncid) {
  if (!ncid) return stub_refuse_null("ncid");
  File* file = file_new(session, ncid);
  if (!file) return refuse_memory(path ? path : "");
  file->format = format_of(mode);
  return THALWEG_OK;
}

int thalweg_nc_def_dim(int ncid, const char* name, int64_t size, int* dimid) {
  File* file = file_at(ncid);
  if (!file) return refuse_number(ncid);
  if (!name) return stub_refuse_null("name");
  if (size == THALWEG_NC_UNLIMITED && file->unlimited >= 0)
    return stub_refuse(THALWEG_ERROR_SHAPE, "a second unlimited dimension, '%s'; a file has one", name);
  Dimension* dimension = list_add(&file->dimensions, name);
  if (!dimension) return refuse_memory(name);
  dimension->size = size;
  const int number = file->dimensions.count - 1;
  if (size == THALWEG_NC_UNLIMITED) file->unlimited = number;
  tell(dimid, number);
  return THALWEG_OK;
}

int thalweg_nc_def_var(int ncid, const char* name, thalweg_nc_type type, int ndims, const int* dimids, int* varid) {
  File* file = file_at(ncid);
  if (!file) return refuse_number(ncid);
  if (!name) return stub_refuse_null("name");
  if (ndims > 0 && !dimids) return stub_refuse_null("dimids");
  if (ndims > THALWEG_MAX_RANK)
    return stub_refuse(THALWEG_ERROR_SHAPE, "variable '%s' has %d dimensions; %d are possible", name, ndims,
                       THALWEG_MAX_RANK);
  Variable* variable = list_add(&file->variables, name);
  if (!variable) return refuse_memory(name);
  variable->type = type;
  variable->rank = ndims > 0 ? ndims : 0;
  for (int d = 0; d < variable->rank; ++d) variable->dimids[d] = dimids[d];
  variable->attributes.size = sizeof(Attribute);
  tell(varid, file->variables.count - 1);
  return THALWEG_OK;
}

int thalweg_nc_def_var_deflate(int ncid, int varid, int shuffle, int level) {
  (void)ncid, (void)varid, (void)shuffle, (void)level;
  return THALWEG_OK;
}

static List* attributes_of(File* file, int varid) {
  if (varid == THALWEG_NC_GLOBAL) return &file->attributes;
  Variable* variable = list_at(&file->variables, varid);
  return variable ? &variable->attributes : NULL;
}

int thalweg_nc_put_att(int ncid, int varid, const char* name, thalweg_nc_type type, int count, const void* values) {
  (void)values;
  File* file = file_at(ncid);
  if (!file) return refuse_number(ncid);
  if (!name) return stub_refuse_null("name");
  List* attributes = attributes_of(file, varid);
  if (!attributes) return refuse_unknown("variable", varid);
  Attribute* attribute = list_at(attributes, list_find(attributes, name));
  if (!attribute) attribute = list_add(attributes, name);
  if (!attribute) return refuse_memory(name);
  attribute->type = type;
  attribute->count = count;
  return THALWEG_OK;
}

/* ---- values ---- */

/* The record comes first; where the program gives fewer numbers than there are dimensions, it is 0. */
int thalweg_nc_put_vara(int ncid, int varid, int starts, const int64_t* start, int counts, const int64_t* count,
                        const void* data, thalweg_nc_type type, int rank, const int64_t* extent,
                        const int64_t* stride) {
  (void)counts, (void)count, (void)data, (void)type, (void)rank, (void)extent, (void)stride;
  File* file = file_at(ncid);
  if (!file) return refuse_number(ncid);
  const Variable* variable = list_at(&file->variables, varid);
  if (!variable) return refuse_unknown("variable", varid);
  if (variable->rank == 0 || variable->dimids[0] != file->unlimited) return THALWEG_OK;
  const int64_t record = start && starts >= variable->rank ? start[starts - variable->rank] : 0;
  if (record >= file->records) file->records = record + 1;
  return THALWEG_OK;
}

int thalweg_nc_sync(int ncid) {
  return file_at(ncid) ? THALWEG_OK : refuse_number(ncid);
}

int thalweg_nc_close(int ncid) {
  if (!file_at(ncid)) return refuse_number(ncid);
  file_close(ncid);
  return THALWEG_OK;
}

/* ---- questions ---- */

int thalweg_nc_inq_own(int ncid, int* own) {
  if (!own) return stub_refuse_null("own");
  *own = file_is_own(ncid);
  return THALWEG_OK;
}

int thalweg_nc_inq(int ncid, int* ndims, int* nvars, int* natts, int* unlimited) {
  const File* file = file_at(ncid);
  if (!file) return refuse_number(ncid);
  tell(ndims, file->dimensions.count);
  tell(nvars, file->variables.count);
  tell(natts, file->attributes.count);
  tell(unlimited, file->unlimited);
  return THALWEG_OK;
}

int thalweg_nc_inq_format(int ncid, int* format) {
  const File* file = file_at(ncid);
  if (!file) return refuse_number(ncid);
  tell(format, file->format);
  return THALWEG_OK;
}

int thalweg_nc_inq_dim(int ncid, int dimid, char* name, int64_t* size) {
  const File* file = file_at(ncid);
  if (!file) return refuse_number(ncid);
  const Dimension* dimension = list_at(&file->dimensions, dimid);
  if (!dimension) return refuse_unknown("dimension", dimid);
  tell_name(name, dimension->name);
  if (size) *size = dimid == file->unlimited ? file->records : dimension->size;
  return THALWEG_OK;
}

int thalweg_nc_inq_var(int ncid, int varid, char* name, thalweg_nc_type* type, int* ndims, int* dimids, int* natts) {
  const File* file = file_at(ncid);
  if (!file) return refuse_number(ncid);
  const Variable* variable = list_at(&file->variables, varid);
  if (!variable) return refuse_unknown("variable", varid);
  tell_name(name, variable->name);
  if (type) *type = variable->type;
  tell(ndims, variable->rank);
  tell(natts, variable->attributes.count);
  for (int d = 0; dimids && d < variable->rank; ++d) dimids[d] = variable->dimids[d];
  return THALWEG_OK;
}

int thalweg_nc_inq_attname(int ncid, int varid, int number, char* name) {
  File* file = file_at(ncid);
  if (!file) return refuse_number(ncid);
  const List* attributes = attributes_of(file, varid);
  if (!attributes) return refuse_unknown("variable", varid);
  const Attribute* attribute = list_at(attributes, number);
  if (!attribute) return refuse_unknown("attribute", number);
  tell_name(name, attribute->name);
  return THALWEG_OK;
}

int thalweg_nc_inq_att(int ncid, int varid, const char* name, thalweg_nc_type* type, int* count) {
  File* file = file_at(ncid);
  if (!file) return refuse_number(ncid);
  if (!name) return stub_refuse_null("name");
  const List* attributes = attributes_of(file, varid);
  if (!attributes) return refuse_unknown("variable", varid);
  const Attribute* attribute = list_at(attributes, list_find(attributes, name));
  if (!attribute) return refuse_name("attribute", name);
  if (type) *type = attribute->type;
  tell(count, attribute->count);
  return THALWEG_OK;
}

static int tell_found(const List* list, const char* what, const char* name, int* number) {
  if (!name) return stub_refuse_null("name");
  const int found = list_find(list, name);
  if (found < 0) return refuse_name(what, name);
  tell(number, found);
  return THALWEG_OK;
}

int thalweg_nc_inq_dimid(int ncid, const char* name, int* dimid) {
  const File* file = file_at(ncid);
  return file ? tell_found(&file->dimensions, "dimension", name, dimid) : refuse_number(ncid);
}

int thalweg_nc_inq_varid(int ncid, const char* name, int* varid) {
  const File* file = file_at(ncid);
  return file ? tell_found(&file->variables, "variable", name, varid) : refuse_number(ncid);
}
