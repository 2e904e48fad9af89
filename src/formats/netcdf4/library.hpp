// Parallel netCDF-C, loaded at run time (base/private_library.hpp).
#pragma once

#include <mpi.h>
// The others need what netcdf.h declares.
#include <netcdf.h>
#include <netcdf_filter.h>
#if __has_include(<netcdf_par.h>)
#include <netcdf_par.h>
#else  // a build without netCDF-4, with the headers of a serial library
#define NC_INDEPENDENT 0
#define NC_COLLECTIVE 1
extern "C" int nc_create_par(const char* path, int mode, MPI_Comm comm, MPI_Info info, int* id);
extern "C" int nc_var_par_access(int id, int variable, int access);
#endif

#include "base/types.hpp"

namespace thalweg::formats::netcdf4 {

// A model that links the serial library (netCDF-Fortran does) has functions of the same names in the process, and where
// that library comes first even the parallel one's calls to itself would end up there.
struct NetcdfLibrary {
  NetcdfLibrary();

  decltype(&::nc_get_alignment) get_alignment;
  decltype(&::nc_set_alignment) set_alignment;
  decltype(&::nc_create) create;
  decltype(&::nc_create_par) create_par;
  decltype(&::nc_var_par_access) var_par_access;
  decltype(&::nc_def_dim) def_dim;
  decltype(&::nc_def_var) def_var;
  decltype(&::nc_def_var_chunking) def_var_chunking;
  decltype(&::nc_def_var_fill) def_var_fill;
  decltype(&::nc_def_var_deflate) def_var_deflate;
  decltype(&::nc_def_var_filter) def_var_filter;
  decltype(&::nc_def_var_fletcher32) def_var_fletcher32;
  decltype(&::nc_put_att) put_att;
  decltype(&::nc_inq_varname) inq_varname;
  decltype(&::nc_inq_dimid) inq_dimid;
  decltype(&::nc_inq_dimname) inq_dimname;
  decltype(&::nc_enddef) enddef;
  decltype(&::nc_open) open;
  decltype(&::nc_inq) inq;
  decltype(&::nc_inq_grps) inq_grps;
  decltype(&::nc_inq_grpname) inq_grpname;
  decltype(&::nc_inq_type) inq_type;
  decltype(&::nc_inq_var_filter_ids) inq_var_filter_ids;
  decltype(&::nc_inq_dimids) inq_dimids;
  decltype(&::nc_inq_unlimdims) inq_unlimdims;
  decltype(&::nc_inq_dim) inq_dim;
  decltype(&::nc_inq_var) inq_var;
  decltype(&::nc_inq_var_chunking) inq_var_chunking;
  decltype(&::nc_inq_var_fill) inq_var_fill;
  decltype(&::nc_inq_attname) inq_attname;
  decltype(&::nc_inq_att) inq_att;
  decltype(&::nc_get_att) get_att;
  decltype(&::nc_get_att_string) get_att_string;
  decltype(&::nc_free_string) free_string;
  decltype(&::nc_set_var_chunk_cache) set_var_chunk_cache;
  decltype(&::nc_get_vara) get_vara;
  decltype(&::nc_put_vara) put_vara;
  decltype(&::nc_sync) sync;
  decltype(&::nc_close) close;
  decltype(&::nc_abort) abort;
  decltype(&::nc_strerror) strerror;
};

const NetcdfLibrary& nc();

nc_type netcdf_type(Type type);

}  // namespace thalweg::formats::netcdf4
