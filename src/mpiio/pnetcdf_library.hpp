// PnetCDF, loaded at run time (base/private_library.hpp): a program that calls PnetCDF itself keeps its own.
#pragma once

#include <mpi.h>
// It needs what mpi.h declares.
#include <pnetcdf.h>

namespace thalweg::mpiio {

struct PnetcdfLibrary {
  PnetcdfLibrary();

  decltype(&::ncmpi_create) create;
  decltype(&::ncmpi_def_dim) def_dim;
  decltype(&::ncmpi_def_var) def_var;
  decltype(&::ncmpi_put_att) put_att;
  decltype(&::ncmpi__enddef) _enddef;
  decltype(&::ncmpi_inq_recsize) inq_recsize;
  decltype(&::ncmpi_inq_header_extent) inq_header_extent;
  decltype(&::ncmpi_inq_varoffset) inq_varoffset;
  decltype(&::ncmpi_inq_file_info) inq_file_info;
  decltype(&::ncmpi_begin_indep_data) begin_indep_data;
  decltype(&::ncmpi_end_indep_data) end_indep_data;
  decltype(&::ncmpi_put_vara) put_vara;
  decltype(&::ncmpi_put_vara_all) put_vara_all;
  decltype(&::ncmpi_iput_vara) iput_vara;
  decltype(&::ncmpi_wait_all) wait_all;
  decltype(&::ncmpi_sync) sync;
  decltype(&::ncmpi_close) close;
  decltype(&::ncmpi_strerror) strerror;
};

// Errors: FORMAT, where it is not there.
const PnetcdfLibrary& pnetcdf();

}  // namespace thalweg::mpiio
