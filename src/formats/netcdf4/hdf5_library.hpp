// Parallel HDF5, loaded at its first use (base/private_library.hpp): where it is built with access to object stores it
// brings some forty libraries with it, which a run that writes another format shall not wait for.
//
// In this folder names of HDF5 mean what is declared here, so that calls and macros of its headers read as everywhere.
#pragma once

#include <hdf5.h>
#include <hdf5_hl.h>

#include <atomic>

#include "base/private_library.hpp"

namespace thalweg::formats::netcdf4 {

// Errors: FORMAT.
const PrivateLibrary& hdf5_library();

// What has this name in the library, looked up once.
template <typename Declared>
class Hdf5Address {
 public:
  constexpr explicit Hdf5Address(const char* name) : name_(name) {}
  Declared& get() const {
    Declared* found = found_.load(std::memory_order_acquire);
    if (found == nullptr) {
      hdf5_library().load(found, name_);
      found_.store(found, std::memory_order_release);
    }
    return *found;
  }

 private:
  const char* name_;
  mutable std::atomic<Declared*> found_ = nullptr;
};

// A constant, whose value HDF5 has settled when H5open() has returned; its headers call that before each use.
template <typename Declared>
class Hdf5Name {
 public:
  constexpr explicit Hdf5Name(const char* name) : address_(name) {}
  operator Declared() const { return address_.get(); }

 private:
  Hdf5Address<Declared> address_;
};

template <typename Result, typename... Arguments>
class Hdf5Name<Result(Arguments...)> {
 public:
  constexpr explicit Hdf5Name(const char* name) : address_(name) {}
  Result operator()(Arguments... arguments) const { return address_.get()(arguments...); }

 private:
  Hdf5Address<Result(Arguments...)> address_;
};

#define THALWEG_HDF5(name) inline constinit const Hdf5Name<decltype(::name)> name(#name)
THALWEG_HDF5(H5Acreate2);
THALWEG_HDF5(H5Adelete);
THALWEG_HDF5(H5Aexists);
THALWEG_HDF5(H5Aexists_by_name);
THALWEG_HDF5(H5Aget_space);
THALWEG_HDF5(H5Aget_type);
THALWEG_HDF5(H5Aiterate2);
THALWEG_HDF5(H5Aopen);
THALWEG_HDF5(H5Aopen_by_name);
THALWEG_HDF5(H5Aread);
THALWEG_HDF5(H5Awrite);
THALWEG_HDF5(H5DSattach_scale);
THALWEG_HDF5(H5DSiterate_scales);
THALWEG_HDF5(H5Dcreate2);
THALWEG_HDF5(H5Dget_create_plist);
THALWEG_HDF5(H5Dget_offset);
THALWEG_HDF5(H5Dget_space);
THALWEG_HDF5(H5Dget_type);
THALWEG_HDF5(H5Dopen2);
THALWEG_HDF5(H5Dread);
THALWEG_HDF5(H5Dset_extent);
THALWEG_HDF5(H5Dwrite);
THALWEG_HDF5(H5Dwrite_chunk);
THALWEG_HDF5(H5Eget_auto2);
THALWEG_HDF5(H5Eset_auto2);
THALWEG_HDF5(H5Ewalk2);
THALWEG_HDF5(H5FDregister);
THALWEG_HDF5(H5FDunregister);
THALWEG_HDF5(H5FD_sec2_init);
THALWEG_HDF5(H5Fcreate);
THALWEG_HDF5(H5Fflush);
THALWEG_HDF5(H5Fget_access_plist);
THALWEG_HDF5(H5Fget_create_plist);
THALWEG_HDF5(H5Fget_intent);
THALWEG_HDF5(H5Fget_filesize);
THALWEG_HDF5(H5Fget_name);
THALWEG_HDF5(H5Fget_obj_count);
THALWEG_HDF5(H5Fget_obj_ids);
THALWEG_HDF5(H5Fget_vfd_handle);
THALWEG_HDF5(H5Fopen);
THALWEG_HDF5(H5Gopen2);
THALWEG_HDF5(H5Idec_ref);
THALWEG_HDF5(H5Iget_name);
THALWEG_HDF5(H5Iget_type);
THALWEG_HDF5(H5Literate);
THALWEG_HDF5(H5Oget_info_by_name2);
THALWEG_HDF5(H5Oopen);
THALWEG_HDF5(H5P_CLS_DATASET_ACCESS_ID_g);
THALWEG_HDF5(H5P_CLS_DATASET_CREATE_ID_g);
THALWEG_HDF5(H5P_CLS_FILE_ACCESS_ID_g);
THALWEG_HDF5(H5Pcreate);
THALWEG_HDF5(H5Pget_attr_creation_order);
THALWEG_HDF5(H5Pget_attr_phase_change);
THALWEG_HDF5(H5Pget_chunk);
THALWEG_HDF5(H5Pget_driver);
THALWEG_HDF5(H5Pget_driver_info);
THALWEG_HDF5(H5Pget_external_count);
THALWEG_HDF5(H5Pget_filter2);
THALWEG_HDF5(H5Pget_layout);
THALWEG_HDF5(H5Pget_nfilters);
THALWEG_HDF5(H5Pget_sizes);
THALWEG_HDF5(H5Pget_userblock);
THALWEG_HDF5(H5Pget_virtual_filename);
THALWEG_HDF5(H5Pset_alignment);
THALWEG_HDF5(H5Pset_attr_creation_order);
THALWEG_HDF5(H5Pset_attr_phase_change);
THALWEG_HDF5(H5Pset_chunk_cache);
THALWEG_HDF5(H5Pset_driver);
THALWEG_HDF5(H5Pset_fclose_degree);
THALWEG_HDF5(H5Pset_file_locking);
THALWEG_HDF5(H5Pset_fill_value);
THALWEG_HDF5(H5Pset_libver_bounds);
THALWEG_HDF5(H5Pset_link_creation_order);
THALWEG_HDF5(H5Pset_virtual);
THALWEG_HDF5(H5Screate);
THALWEG_HDF5(H5Screate_simple);
THALWEG_HDF5(H5Sget_simple_extent_dims);
THALWEG_HDF5(H5Sget_simple_extent_ndims);
THALWEG_HDF5(H5Sget_simple_extent_npoints);
THALWEG_HDF5(H5Sselect_hyperslab);
THALWEG_HDF5(H5T_C_S1_g);
THALWEG_HDF5(H5T_IEEE_F32BE_g);
THALWEG_HDF5(H5T_IEEE_F32LE_g);
THALWEG_HDF5(H5T_IEEE_F64BE_g);
THALWEG_HDF5(H5T_IEEE_F64LE_g);
THALWEG_HDF5(H5T_NATIVE_DOUBLE_g);
THALWEG_HDF5(H5T_NATIVE_FLOAT_g);
THALWEG_HDF5(H5T_NATIVE_INT_g);
THALWEG_HDF5(H5T_NATIVE_LLONG_g);
THALWEG_HDF5(H5T_NATIVE_SCHAR_g);
THALWEG_HDF5(H5T_NATIVE_SHORT_g);
THALWEG_HDF5(H5T_NATIVE_UCHAR_g);
THALWEG_HDF5(H5T_NATIVE_UINT_g);
THALWEG_HDF5(H5T_NATIVE_ULLONG_g);
THALWEG_HDF5(H5T_NATIVE_USHORT_g);
THALWEG_HDF5(H5T_STD_I32BE_g);
THALWEG_HDF5(H5T_STD_I32LE_g);
THALWEG_HDF5(H5T_STD_I64BE_g);
THALWEG_HDF5(H5T_STD_I64LE_g);
THALWEG_HDF5(H5Tcopy);
THALWEG_HDF5(H5Tequal);
THALWEG_HDF5(H5Tget_class);
THALWEG_HDF5(H5Tget_size);
THALWEG_HDF5(H5Tis_variable_str);
THALWEG_HDF5(H5Tset_order);
THALWEG_HDF5(H5Tset_size);
THALWEG_HDF5(H5Zfilter_avail);
THALWEG_HDF5(H5Zregister);
THALWEG_HDF5(H5check_version);
THALWEG_HDF5(H5open);
#undef THALWEG_HDF5

}  // namespace thalweg::formats::netcdf4
