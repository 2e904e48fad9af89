/* Bodies of the interfaces in thalweg.f90: they read Fortran descriptors and call the C interface.
 *
 * Compilers use different codes in their descriptors, so this file is compiled for the compiler of the model, with its
 * ISO_Fortran_binding.h, and is no part of the core library. Absent optional arguments arrive as null pointers. */
#include "descriptors.h"
#include "write_procedure.h"

_Thread_local char thw_own_text[512];

/* ---- session ---- */

void thw_start(thalweg_session** session, const MPI_Fint* comm, const Array* config, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_start"};
  thalweg_tell_as_fortran();
  const char* path = c_text(&call, config);
  if (call.code == THALWEG_OK) result(&call, thalweg_start(MPI_Comm_f2c(*comm), path, session));
  end_call(&call, stat, errmsg);
}

void thw_serve(const MPI_Fint* comm, const Array* config, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_serve"};
  thalweg_tell_as_fortran();
  const char* path = c_text(&call, config);
  if (call.code == THALWEG_OK) result(&call, thalweg_serve(MPI_Comm_f2c(*comm), path));
  end_call(&call, stat, errmsg);
}

void thw_register_procedure(const Array* collection, FortranProcedure writer, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_register_procedure"};
  const char* name = c_text(&call, collection);
  if (call.code == THALWEG_OK) result(&call, thalweg_register_procedure(name, call_fortran, (void*)writer));
  end_call(&call, stat, errmsg);
}

void thw_start_text(thalweg_session** session, const MPI_Fint* comm, const Array* yaml, const Array* origin, int* stat,
                    const Array* errmsg) {
  Call call = {.procedure = "thw_start_text"};
  thalweg_tell_as_fortran();
  const char* text = c_text(&call, yaml);
  const char* name = c_text(&call, origin);
  if (call.code == THALWEG_OK) result(&call, thalweg_start_text(MPI_Comm_f2c(*comm), text, name, session));
  end_call(&call, stat, errmsg);
}

void thw_finish(thalweg_session** session, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_finish"};
  result(&call, thalweg_finish(session));
  end_call(&call, stat, errmsg);
}

_Bool thw_is_client(thalweg_session* const* session) {
  Call call = {.procedure = "thw_is_client"};
  int flag = 0;
  result(&call, thalweg_is_client(*session, &flag));
  end_call(&call, NULL, NULL);
  return flag != 0;
}

void thw_model_comm(thalweg_session* const* session, MPI_Fint* comm, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_model_comm"};
  MPI_Comm clients = MPI_COMM_NULL;
  result(&call, thalweg_model_comm(*session, &clients));
  *comm = MPI_Comm_c2f(clients);
  end_call(&call, stat, errmsg);
}

/* ---- the same with a communicator of the module mpi, which is the integer that is in one of mpi_f08 ---- */

void thw_start_mpi(thalweg_session** session, const int* comm, const Array* config, int* stat, const Array* errmsg) {
  const MPI_Fint handle = *comm;
  thw_start(session, &handle, config, stat, errmsg);
}

void thw_start_text_mpi(thalweg_session** session, const int* comm, const Array* yaml, const Array* origin, int* stat,
                        const Array* errmsg) {
  const MPI_Fint handle = *comm;
  thw_start_text(session, &handle, yaml, origin, stat, errmsg);
}

void thw_serve_mpi(const int* comm, const Array* config, int* stat, const Array* errmsg) {
  const MPI_Fint handle = *comm;
  thw_serve(&handle, config, stat, errmsg);
}

void thw_model_comm_mpi(thalweg_session* const* session, int* comm, int* stat, const Array* errmsg) {
  MPI_Fint handle = *comm;
  thw_model_comm(session, &handle, stat, errmsg);
  *comm = handle;
}

/* ---- declarations ---- */

static int box_count(Call* call, const Array* start, const int* boxes) {
  if (!boxes) return start->rank == 2 ? (int)start->dim[1].extent : 1;
  if (*boxes < 0) refuse(call, THALWEG_ERROR_ARGUMENT, "boxes is %d; it must not be negative", *boxes);
  return *boxes;
}

static void check_halos(Call* call, const Array* halo, const Array* halo_low, const Array* halo_high) {
  if (halo && (halo_low || halo_high)) {
    refuse(call, THALWEG_ERROR_ARGUMENT, "give either halo or halo_low and halo_high, not both");
  }
}

/* The core takes as many values from each array as dims has names, so here is where their number is checked. */
static int64_t dimension_count(Call* call, const char* dims, const Array* shape) {
  const int64_t n = dims ? name_count(dims) : 0;
  if (shape->rank == 1 && shape->dim[0].extent != n) {
    refuse(call, THALWEG_ERROR_ARGUMENT, "dims has %lld name(s) and shape %lld value(s)", (long long)n,
           (long long)shape->dim[0].extent);
  }
  return n;
}

void thw_decompose(thalweg_session* const* session, thalweg_decomposition** decomposition, const Array* dims,
                   const Array* shape, const Array* start, const Array* count, const Array* halo, const Array* halo_low,
                   const Array* halo_high, const int* boxes, const void* masked, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_decompose"};
  const char* names = c_names(&call, dims);
  call.subject = names;
  check_halos(&call, halo, halo_low, halo_high);
  const int64_t n = dimension_count(&call, names, shape);
  const int rows = box_count(&call, start, boxes);
  const int64_t* extents = c_row(&call, "shape", shape, n);
  const int64_t* starts = c_rows(&call, "start", start, n, rows, -1);
  const int64_t* counts = c_rows(&call, "count", count, n, rows, 0);
  const int64_t* low = c_row(&call, halo ? "halo" : "halo_low", halo ? halo : halo_low, n);
  const int64_t* high = c_row(&call, halo ? "halo" : "halo_high", halo ? halo : halo_high, n);
  /* A default logical; compilers differ in its size and in the other bits of a true one, not in this. */
  const int holes = c_logical(masked);
  if (call.code == THALWEG_OK) {
    result(&call, thalweg_decompose(*session, names, extents, rows, starts, counts, low, high, holes, decomposition));
  }
  end_call(&call, stat, errmsg);
}

void thw_decompose_indices(thalweg_session* const* session, thalweg_decomposition** decomposition, const Array* dim,
                           const Array* size, const Array* index, const void* masked, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_decompose_indices"};
  const char* name = call.subject = c_text(&call, dim);
  const int64_t extent = c_integer(&call, "size", size);
  int64_t count = 0;
  const int64_t* indices = c_indices(&call, "index", index, &count);
  const int holes = c_logical(masked);
  if (call.code == THALWEG_OK) {
    result(&call, thalweg_decompose_indices(*session, name, extent, count, indices, holes, decomposition));
  }
  end_call(&call, stat, errmsg);
}

void thw_decompose_points(thalweg_session* const* session, thalweg_decomposition** decomposition, const Array* dims,
                          const Array* shape, const Array* index, const void* masked, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_decompose_points"};
  const char* names = call.subject = c_names(&call, dims);
  const int64_t* extents = c_row(&call, "shape", shape, dimension_count(&call, names, shape));
  int64_t count = 0;
  const int64_t* indices = c_indices(&call, "index", index, &count);
  const int holes = c_logical(masked);
  if (call.code == THALWEG_OK) {
    result(&call, thalweg_decompose_points(*session, names, extents, count, indices, holes, decomposition));
  }
  end_call(&call, stat, errmsg);
}

void thw_open_collection(thalweg_session* const* session, thalweg_collection** collection, const Array* name, int* stat,
                         const Array* errmsg) {
  Call call = {.procedure = "thw_open_collection"};
  const char* c_name = c_text(&call, name);
  if (call.code == THALWEG_OK) result(&call, thalweg_open_collection(*session, c_name, collection));
  end_call(&call, stat, errmsg);
}

void thw_open_collection_text(thalweg_session* const* session, thalweg_collection** collection, const Array* name,
                              const Array* yaml, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_open_collection_text"};
  const char* c_name = call.subject = c_text(&call, name);
  const char* text = c_text(&call, yaml);
  if (call.code == THALWEG_OK) result(&call, thalweg_open_collection_text(*session, c_name, text, collection));
  end_call(&call, stat, errmsg);
}

void thw_define_dimension(thalweg_collection* const* collection, const Array* name, const Array* size, int* stat,
                          const Array* errmsg) {
  Call call = {.procedure = "thw_define_dimension"};
  const char* c_name = call.subject = c_text(&call, name);
  const int64_t extent = c_integer(&call, "size", size);
  if (call.code == THALWEG_OK) result(&call, thalweg_define_dimension(*collection, c_name, extent));
  end_call(&call, stat, errmsg);
}

static void define_text(Call* call, thalweg_collection* collection, const char* variable, const char* name,
                        const Array* value) {
  const char* text = c_text(call, value);
  if (text && call->code == THALWEG_OK) result(call, thalweg_define_text(collection, variable, name, text));
}

void thw_define_variable(thalweg_collection* const* collection, const Array* name, const Array* dims, const int* type,
                         thalweg_decomposition* const* decomposition, const Array* memory, const Array* units,
                         const Array* long_name, const Array* standard_name, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_define_variable"};
  const char* variable = call.subject = c_text(&call, name);
  const char* c_dims = c_names(&call, dims);
  const char* c_memory = c_names(&call, memory);
  thalweg_decomposition* spread = c_decomposition(&call, decomposition);
  if (call.code == THALWEG_OK) {
    result(&call, thalweg_define_variable(*collection, variable, c_dims, (thalweg_type)*type, spread, c_memory));
  }
  define_text(&call, *collection, variable, "units", units);
  define_text(&call, *collection, variable, "long_name", long_name);
  define_text(&call, *collection, variable, "standard_name", standard_name);
  end_call(&call, stat, errmsg);
}

void thw_set_procedure(thalweg_collection* const* collection, FortranProcedure writer, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_set_procedure"};
  result(&call, thalweg_set_procedure(*collection, call_fortran, (void*)writer));
  end_call(&call, stat, errmsg);
}

void thw_ready(thalweg_session* const* session, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_ready"};
  result(&call, thalweg_ready(*session));
  end_call(&call, stat, errmsg);
}

/* ---- the model's steps ---- */

void thw_set_time(thalweg_session* const* session, const Array* time, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_set_time"};
  const double seconds = c_real(&call, "time", time);
  if (call.code == THALWEG_OK) result(&call, thalweg_set_time(*session, seconds));
  end_call(&call, stat, errmsg);
}

void thw_set_end_time(thalweg_session* const* session, const Array* time, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_set_end_time"};
  const double seconds = c_real(&call, "time", time);
  if (call.code == THALWEG_OK) result(&call, thalweg_set_end_time(*session, seconds));
  end_call(&call, stat, errmsg);
}

void thw_put(thalweg_collection* const* collection, const Array* variable, const Array* field, const int* box,
             int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_put"};
  int64_t extent[CFI_MAX_RANK + 1], stride[CFI_MAX_RANK + 1];
  const char* name = call.subject = c_text(&call, variable);
  const thalweg_type type = type_in_memory(&call, "field", field);
  const int rank = c_shape(&call, field, extent, stride);
  if (call.code == THALWEG_OK) {
    result(&call, box ? thalweg_put_box(*collection, name, *box - 1, field->base_addr, type, rank, extent, stride)
                      : thalweg_put(*collection, name, field->base_addr, type, rank, extent, stride));
  }
  end_call(&call, stat, errmsg);
}

void thw_time_units(thalweg_session* const* session, const Array* units, const Array* calendar, int* stat,
                    const Array* errmsg) {
  Call call = {.procedure = "thw_time_units"};
  const char *unit_text = "", *calendar_text = "";
  result(&call, thalweg_time_units(*session, &unit_text, &calendar_text));
  fill_whole(&call, units, unit_text);
  fill_whole(&call, calendar, calendar_text);
  end_call(&call, stat, errmsg);
}

_Bool thw_is_due(thalweg_collection* const* collection) {
  Call call = {.procedure = "thw_is_due"};
  int due = 0;
  result(&call, thalweg_is_due(*collection, &due));
  end_call(&call, NULL, NULL);
  return due != 0;
}

void thw_advance(thalweg_session* const* session, const Array* time, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_advance"};
  const double seconds = c_real(&call, "time", time);
  if (call.code == THALWEG_OK) result(&call, thalweg_advance(*session, seconds));
  end_call(&call, stat, errmsg);
}

void thw_record(thalweg_collection* const* collection, const Array* time, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_record"};
  const double seconds = c_real(&call, "time", time);
  if (call.code == THALWEG_OK) result(&call, thalweg_record(*collection, seconds));
  end_call(&call, stat, errmsg);
}

void thw_new_file(thalweg_collection* const* collection, const Array* file, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_new_file"};
  const char* path = c_text(&call, file);
  if (call.code == THALWEG_OK) result(&call, thalweg_new_file(*collection, path));
  end_call(&call, stat, errmsg);
}

void thw_close_file(thalweg_collection* const* collection, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_close_file"};
  result(&call, thalweg_close_file(*collection));
  end_call(&call, stat, errmsg);
}

void thw_flush(thalweg_session* const* session, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_flush"};
  result(&call, thalweg_flush(*session));
  end_call(&call, stat, errmsg);
}

void thw_wait(thalweg_session* const* session, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_wait"};
  result(&call, thalweg_wait(*session));
  end_call(&call, stat, errmsg);
}

void thw_wait_collection(thalweg_collection* const* collection, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_wait_collection"};
  result(&call, thalweg_wait_collection(*collection));
  end_call(&call, stat, errmsg);
}

/* ---- aside ---- */

void thw_recover(const Array* partial, int64_t* records, int* stat, const Array* errmsg) {
  Call call = {.procedure = "thw_recover"};
  const char* path = c_text(&call, partial);
  if (call.code == THALWEG_OK) result(&call, thalweg_recover(path, records));
  end_call(&call, stat, errmsg);
}

void thw_error_text(const Array* text) {
  fill(text, last_text());
}

void thw_version(const Array* text) {
  fill(text, thalweg_version());
}
