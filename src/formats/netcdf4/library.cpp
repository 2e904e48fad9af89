#include "formats/netcdf4/library.hpp"

#include <array>
#include <string_view>

#include "base/error.hpp"
#include "base/private_library.hpp"
#include "formats/netcdf4/hdf5_library.hpp"

namespace thalweg::formats::netcdf4 {

NetcdfLibrary::NetcdfLibrary() {
  constexpr std::string_view built_with = THALWEG_NETCDF_LIBRARY;
  if constexpr (built_with.empty())
    fail(THALWEG_ERROR_FORMAT, "this build has no netCDF-4 (THALWEG_WITH_NETCDF4=OFF): use a CDF format or zarr");
  // HDF5 compares objects of MPI, which it finds where the program has them only if netCDF-C does not bring it along.
  hdf5_library();
  const PrivateLibrary library("parallel netCDF-C", built_with, Lookup::in_itself_first, "use a CDF format");
#define THALWEG_LOAD(function) library.load(function, "nc_" #function)
  THALWEG_LOAD(get_alignment);
  THALWEG_LOAD(set_alignment);
  THALWEG_LOAD(create);
  THALWEG_LOAD(create_par);
  THALWEG_LOAD(var_par_access);
  THALWEG_LOAD(def_dim);
  THALWEG_LOAD(def_var);
  THALWEG_LOAD(def_var_chunking);
  THALWEG_LOAD(def_var_fill);
  THALWEG_LOAD(def_var_deflate);
  THALWEG_LOAD(def_var_filter);
  THALWEG_LOAD(def_var_fletcher32);
  THALWEG_LOAD(put_att);
  THALWEG_LOAD(inq_varname);
  THALWEG_LOAD(inq_dimid);
  THALWEG_LOAD(inq_dimname);
  THALWEG_LOAD(enddef);
  THALWEG_LOAD(open);
  THALWEG_LOAD(inq);
  THALWEG_LOAD(inq_grps);
  THALWEG_LOAD(inq_grpname);
  THALWEG_LOAD(inq_type);
  THALWEG_LOAD(inq_var_filter_ids);
  THALWEG_LOAD(inq_dimids);
  THALWEG_LOAD(inq_unlimdims);
  THALWEG_LOAD(inq_dim);
  THALWEG_LOAD(inq_var);
  THALWEG_LOAD(inq_var_chunking);
  THALWEG_LOAD(inq_var_fill);
  THALWEG_LOAD(inq_attname);
  THALWEG_LOAD(inq_att);
  THALWEG_LOAD(get_att);
  THALWEG_LOAD(get_att_string);
  THALWEG_LOAD(free_string);
  THALWEG_LOAD(set_var_chunk_cache);
  THALWEG_LOAD(get_vara);
  THALWEG_LOAD(put_vara);
  THALWEG_LOAD(sync);
  THALWEG_LOAD(close);
  THALWEG_LOAD(abort);
  THALWEG_LOAD(strerror);
#undef THALWEG_LOAD
}

const NetcdfLibrary& nc() {
  static const NetcdfLibrary library;
  return library;
}

nc_type netcdf_type(Type type) {
  constexpr std::array<nc_type, 12> types = {NC_NAT,    NC_BYTE, NC_SHORT,  NC_INT,   NC_INT64,  NC_UBYTE,
                                             NC_USHORT, NC_UINT, NC_UINT64, NC_FLOAT, NC_DOUBLE, NC_CHAR};
  return types[static_cast<std::size_t>(type)];
}

}  // namespace thalweg::formats::netcdf4
