#include "sizes.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "describe.h"
#include "names.h"
#include "resolve.h"
#include "state.h"

enum { NAME_BYTES = 257, KNOWN_TYPES = 13 };
typedef int InquireVariable(int, int, char*, int*, int*, int*, int*);
typedef int InquireLength(int, int, int64_t*);  // size_t of netCDF and MPI_Offset of PnetCDF are as wide
typedef int InquireType(int, int, char*, size_t*);

static uint64_t element_bytes(const struct Call* call, int layer, int file, int type) {
  static const uint8_t bytes[KNOWN_TYPES] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8, 8};
  if (type > 0 && type < KNOWN_TYPES) return bytes[type];
  size_t own = 0;
  InquireType* inquire = layer == LAYER_NETCDF ? thw_helper(call->target, "nc_inq_type") : NULL;
  return inquire && inquire(file, type, NULL, &own) == 0 ? own : 0;
}

struct Variable* thw_variable(const struct Function* function, const struct Call* call, const long* words) {
  const int file = (int)words[0], number = (int)words[function->var_role.argument];
  if (number < 0) return NULL;
  struct State* state = thw_state();
  const uint64_t key = (uint64_t)function->layer << 60 ^ (uint64_t)(uint32_t)file << 28 ^ (uint32_t)number;
  struct Variable* place = &state->variables[(key * 0x9e3779b97f4a7c15u >> 40) % VARIABLE_PLACES];
  if (place->is_known && place->key == key) return place;
  const int is_netcdf = function->layer == LAYER_NETCDF;
  InquireVariable* inquire = thw_helper(call->target, is_netcdf ? "nc_inq_var" : "ncmpi_inq_var");
  char name[NAME_BYTES] = "";
  int type = 0, dimensions = 0;
  if (!inquire || inquire(file, number, name, &type, &dimensions, NULL, NULL) != 0) return NULL;
  place->is_known = 0;
  place->name = thw_name(name);
  place->text = 0;
  atomic_store(&place->box, 0);
  place->dimensions = (uint16_t)dimensions;
  place->element_bytes = element_bytes(call, function->layer, file, type);
  place->key = key;
  place->is_known = 1;
  return place;
}

uint32_t thw_variable_name(const struct Function* function, const struct Call* call, const long* words) {
  if (function->var_role.kind == VAR_NAME) return thw_name((const char*)words[function->var_role.argument]);
  const struct Variable* variable = thw_variable(function, call, words);
  return variable ? variable->name : 0;
}

uint32_t thw_variable_text(struct Variable* variable, const struct Function* function, const struct Call* call,
                           const long* words) {
  if (!variable->text) {
    char text[DESCRIPTION_BYTES];
    const int is_netcdf = function->layer == LAYER_NETCDF;
    if (thw_describe(is_netcdf, call->target, (int)words[0], (int)words[1], text)) variable->text = thw_name(text);
  }
  return variable->text;
}

// Of unlimited dimensions, too: a call for a whole variable has just asked for these itself.
int thw_variable_shape(const struct Function* function, const struct Call* call, const long* words, int64_t* shape) {
  const int is_netcdf = function->layer == LAYER_NETCDF;
  InquireVariable* inquire = thw_helper(call->target, is_netcdf ? "nc_inq_var" : "ncmpi_inq_var");
  InquireLength* length_of = thw_helper(call->target, is_netcdf ? "nc_inq_dimlen" : "ncmpi_inq_dimlen");
  int ids[MOST_DIMENSIONS], dimensions = 0;
  if (!inquire || !length_of) return 0;
  if (inquire((int)words[0], (int)words[1], NULL, NULL, &dimensions, ids, NULL) != 0) return 0;
  for (int i = 0; i < dimensions; ++i)
    if (length_of((int)words[0], ids[i], &shape[i]) != 0) return 0;
  return 1;
}

static uint64_t product(const int64_t* counts, int dimensions) {
  uint64_t all = 1;
  for (int i = 0; counts && i < dimensions; ++i) all *= (uint64_t)counts[i];
  return all;
}

static uint64_t whole_variable(const struct Function* function, const struct Call* call, const long* words,
                               const struct Variable* variable) {
  int64_t shape[MOST_DIMENSIONS];
  if (!thw_variable_shape(function, call, words, shape)) return 0;
  return variable->element_bytes * product(shape, variable->dimensions);
}

static uint64_t variable_bytes(const struct Function* function, const struct Call* call, const long* words) {
  const struct Variable* variable = thw_variable(function, call, words);
  const int argument = function->bytes_role.argument;
  if (!variable) return 0;
  if (function->bytes_role.kind == BYTES_VAR) return whole_variable(function, call, words, variable);
  if (function->bytes_role.kind == BYTES_VAR1) return variable->element_bytes;
  if (function->bytes_role.kind == BYTES_VARA)
    return variable->element_bytes * product((const int64_t*)words[argument], variable->dimensions);
  const int64_t* const* counts = (const int64_t* const*)words[argument + 2];
  uint64_t elements = 0;
  for (int i = 0; i < (int)words[argument]; ++i) elements += product(counts ? counts[i] : NULL, variable->dimensions);
  return elements * variable->element_bytes;
}

static uint64_t mpi_bytes(const struct Function* function, const struct Call* call, const long* words) {
  static _Atomic(void*) of_c, of_fortran;
  _Atomic(void*)* known = function->is_fortran ? &of_fortran : &of_c;
  const int argument = function->bytes_role.argument;
  void* inquire = atomic_load(known);
  if (!inquire) {
    inquire = thw_helper(call->target, function->is_fortran ? "pmpi_type_size_" : "PMPI_Type_size");
    if (!inquire) return 0;
    atomic_store(known, inquire);
  }
  int size = 0;
  if (!function->is_fortran) {
    if (((int (*)(long, int*))inquire)(words[argument + 1], &size) != 0) return 0;
    return (uint64_t)(int)words[argument] * (uint64_t)size;
  }
  int error = 0;
  ((void (*)(long, int*, int*))inquire)(words[argument + 1], &size, &error);
  return error ? 0 : (uint64_t)*(const int*)words[argument] * (uint64_t)size;
}

static uint64_t hdf5_bytes(const struct Function* function, const struct Call* call, const long* words) {
  const int argument = function->bytes_role.argument;
  size_t (*size_of)(long) = thw_helper(call->target, "H5Tget_size");
  int64_t (*points_of)(long) = thw_helper(call->target, "H5Sget_select_npoints");
  long (*space_of)(long) = thw_helper(call->target, "H5Dget_space");
  int (*close_space)(long) = thw_helper(call->target, "H5Sclose");
  if (!size_of || !points_of || !space_of || !close_space) return 0;
  // Of the space of the memory, or if that is "all", of that of the file, or of the whole dataset.
  const long own = words[argument + 1] ? words[argument + 1] : words[argument + 2];
  const long space = own ? own : space_of(words[0]);
  const int64_t points = points_of(space);
  if (!own && space > 0) close_space(space);
  return points > 0 ? (uint64_t)points * size_of(words[argument]) : 0;
}

uint64_t thw_library_bytes(const struct Function* function, const struct Call* call, const long* words) {
  switch (function->bytes_role.kind) {
    case BYTES_TYPE: return mpi_bytes(function, call, words);
    case BYTES_HDF5: return hdf5_bytes(function, call, words);
    case BYTES_NONE: return 0;
    default: return variable_bytes(function, call, words);
  }
}

// Numbers of files are given again. Those of netCDF have the file in their upper half, and a group in the lower.
void thw_variables_closed(uint8_t layer, int file) {
  struct Variable* variables = thw_state()->variables;
  for (int i = 0; i < VARIABLE_PLACES; ++i) {
    const int other = (int)(variables[i].key >> 28);
    const int is_same = layer == LAYER_NETCDF ? other >> 16 == file >> 16 : other == file;
    if (variables[i].is_known && variables[i].key >> 60 == layer && is_same) variables[i].is_known = 0;
  }
}
