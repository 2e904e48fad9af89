/* The calls of thalweg_netcdf.h, of a core that writes down what it is called with. */
#include "fake_record.h"
#include "thalweg_netcdf.h"

static void begin_file(const char* name, int ncid) {
  begin(name);
  note(" ncid=%d", ncid);
}

/* What the elements of an array are. */
static thalweg_type in_memory(thalweg_nc_type type) {
  switch (type) {
    case THALWEG_NC_BYTE: return THALWEG_INT8;
    case THALWEG_NC_CHAR: return THALWEG_CHAR;
    case THALWEG_NC_SHORT: return THALWEG_INT16;
    case THALWEG_NC_INT: return THALWEG_INT32;
    case THALWEG_NC_FLOAT: return THALWEG_FLOAT32;
    case THALWEG_NC_DOUBLE: return THALWEG_FLOAT64;
    case THALWEG_NC_INT64: return THALWEG_INT64;
    default: return 0;
  }
}

static int give(int number, int* to) {
  *to = number;
  return end();
}

int thalweg_nc_create(thalweg_session* session, const char* path, int mode, int* ncid) {
  begin("nc_create");
  note(session ? "" : " no-session");
  note_text("path", path);
  note(" mode=%d", mode);
  return give(17, ncid);
}

int thalweg_nc_def_dim(int ncid, const char* name, int64_t size, int* dimid) {
  begin_file("nc_def_dim", ncid);
  note_text("name", name);
  note_numbers("size", &size, 1);
  return give(4, dimid);
}

int thalweg_nc_def_var(int ncid, const char* name, thalweg_nc_type type, int ndims, const int* dimids, int* varid) {
  begin_file("nc_def_var", ncid);
  note_text("name", name);
  note(" type=%d dims=", type);
  for (int d = 0; d < ndims; ++d) note("%s%d", d > 0 ? "," : "", dimids[d]);
  return give(6, varid);
}

int thalweg_nc_def_var_deflate(int ncid, int varid, int shuffle, int level) {
  begin_file("nc_def_var_deflate", ncid);
  note(" varid=%d shuffle=%d level=%d", varid, shuffle, level);
  return end();
}

int thalweg_nc_put_att(int ncid, int varid, const char* name, thalweg_nc_type type, int count, const void* values) {
  const int64_t extent = count;
  begin_file("nc_put_att", ncid);
  note(" varid=%d", varid);
  note_text("name", name);
  note_array(values, in_memory(type), 1, &extent, 0);
  return end();
}

int thalweg_nc_put_vara(int ncid, int varid, int starts, const int64_t* start, int counts, const int64_t* count,
                        const void* data, thalweg_nc_type type, int rank, const int64_t* extent,
                        const int64_t* stride) {
  begin_file("nc_put_vara", ncid);
  note(" varid=%d", varid);
  note_numbers("start", start, starts);
  note_numbers("count", count, counts);
  note_array(data, in_memory(type), rank, extent, stride);
  return end();
}

int thalweg_nc_sync(int ncid) {
  begin_file("nc_sync", ncid);
  return end();
}

int thalweg_nc_close(int ncid) {
  begin_file("nc_close", ncid);
  return end();
}

int thalweg_nc_inq_own(int ncid, int* own) {
  begin_file("nc_inq_own", ncid);
  return give(1, own);
}

int thalweg_nc_inq(int ncid, int* ndims, int* nvars, int* natts, int* unlimited) {
  begin_file("nc_inq", ncid);
  note(nvars ? "" : " no-nvars");
  if (ndims) *ndims = 3;
  if (natts) *natts = 1;
  return give(2, unlimited);
}

int thalweg_nc_inq_format(int ncid, int* format) {
  begin_file("nc_inq_format", ncid);
  return give(3, format);
}

int thalweg_nc_inq_dim(int ncid, int dimid, char* name, int64_t* size) {
  begin_file("nc_inq_dim", ncid);
  note(" dimid=%d", dimid);
  name[0] = 'x', name[1] = 0;
  *size = 13;
  return end();
}

int thalweg_nc_inq_var(int ncid, int varid, char* name, thalweg_nc_type* type, int* ndims, int* dimids, int* natts) {
  begin_file("nc_inq_var", ncid);
  note(" varid=%d%s", varid, natts ? "" : " no-natts");
  name[0] = 't', name[1] = 0;
  *type = THALWEG_NC_INT64;
  *ndims = 2;
  dimids[0] = 2;
  dimids[1] = 0;
  return end();
}

int thalweg_nc_inq_attname(int ncid, int varid, int number, char* name) {
  begin_file("nc_inq_attname", ncid);
  note(" varid=%d number=%d", varid, number);
  name[0] = (char)('a' + number), name[1] = 0;
  return end();
}

int thalweg_nc_inq_att(int ncid, int varid, const char* name, thalweg_nc_type* type, int* count) {
  begin_file("nc_inq_att", ncid);
  note(" varid=%d", varid);
  note_text("name", name);
  *type = THALWEG_NC_FLOAT;
  return give(5, count);
}

int thalweg_nc_inq_dimid(int ncid, const char* name, int* dimid) {
  begin_file("nc_inq_dimid", ncid);
  note_text("name", name);
  return give(2, dimid);
}

int thalweg_nc_inq_varid(int ncid, const char* name, int* varid) {
  begin_file("nc_inq_varid", ncid);
  note_text("name", name);
  return give(3, varid);
}
