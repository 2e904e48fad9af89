#include "mpiio/pnetcdf_library.hpp"

#include "base/private_library.hpp"

namespace thalweg::mpiio {

PnetcdfLibrary::PnetcdfLibrary() {
  const PrivateLibrary library("PnetCDF", THALWEG_PNETCDF_LIBRARY, Lookup::in_program_first,
                               "set engine: direct, which does without it");
#define THALWEG_LOAD(function) library.load(function, "ncmpi_" #function)
  THALWEG_LOAD(create);
  THALWEG_LOAD(def_dim);
  THALWEG_LOAD(def_var);
  THALWEG_LOAD(put_att);
  THALWEG_LOAD(_enddef);
  THALWEG_LOAD(inq_recsize);
  THALWEG_LOAD(inq_header_extent);
  THALWEG_LOAD(inq_varoffset);
  THALWEG_LOAD(inq_file_info);
  THALWEG_LOAD(begin_indep_data);
  THALWEG_LOAD(end_indep_data);
  THALWEG_LOAD(put_vara);
  THALWEG_LOAD(put_vara_all);
  THALWEG_LOAD(iput_vara);
  THALWEG_LOAD(wait_all);
  THALWEG_LOAD(sync);
  THALWEG_LOAD(close);
  THALWEG_LOAD(strerror);
#undef THALWEG_LOAD
}

const PnetcdfLibrary& pnetcdf() {
  static const PnetcdfLibrary library;
  return library;
}

}  // namespace thalweg::mpiio
