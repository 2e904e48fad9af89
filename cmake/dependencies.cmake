# Finds what Thalweg stands on. Debian's pkg-config file of parallel netCDF names the headers of the serial library, so
# its own include folder is put first here.
find_package(Threads REQUIRED)
# The C++ bindings that some mpi.h still bring along are neither used nor linked, here and by users of thalweg.h.
set(THALWEG_NO_MPI_CXX $<$<COMPILE_LANGUAGE:CXX>:OMPI_SKIP_MPICXX> $<$<COMPILE_LANGUAGE:CXX>:MPICH_SKIP_MPICXX>)
if(THALWEG_STUB_ONLY)
  find_package(MPI 3.1 REQUIRED COMPONENTS C)
  if(CMAKE_Fortran_COMPILER)
    find_package(MPI 3.1 REQUIRED COMPONENTS Fortran)
  endif()
  return()
endif()
find_package(MPI 3.1 REQUIRED COMPONENTS C CXX Fortran)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(pegtl 3.2 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(ISAL REQUIRED IMPORTED_TARGET libisal)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)

# The library opens udunits2 when a field is converted (src/fields/units.cpp). Debian's pkg-config file is "udunits".
find_path(UDUNITS2_INCLUDE udunits2.h PATH_SUFFIXES udunits2)
find_library(UDUNITS2_LIBRARY NAMES udunits2)
if(NOT UDUNITS2_INCLUDE OR NOT UDUNITS2_LIBRARY)
  message(FATAL_ERROR "udunits2 not found (Debian: libudunits2-dev); 'make setup' installs it.")
endif()
get_filename_component(THALWEG_UDUNITS2_LIBRARY ${UDUNITS2_LIBRARY} REALPATH)
add_library(thalweg_udunits2_headers INTERFACE)
target_include_directories(thalweg_udunits2_headers SYSTEM INTERFACE ${UDUNITS2_INCLUDE})

# Distributions have the parallel libraries of several MPIs beside each other, by names of their own (Debian: hdf5-openmpi,
# hdf5-mpich); elsewhere there is one of each.
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(OPEN_MPI mpi.h THALWEG_MPI_IS_OPEN_MPI)
unset(CMAKE_REQUIRED_LIBRARIES)
if(THALWEG_MPI_IS_OPEN_MPI)
  set(mpi openmpi)
else()
  set(mpi mpich)
endif()

# What a shared library needs, or is called itself, of MPI. A library of another MPI can be linked, and then crashes.
function(thalweg_mpi_names result library field)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE headers ERROR_QUIET)
  string(REGEX MATCHALL "${field} +libmpi(ch)?\\.so[.0-9]*" names "${headers}")
  list(TRANSFORM names REPLACE "${field} +" "")
  set(${result} ${names} PARENT_SCOPE)
endfunction()

function(thalweg_require_same_mpi name)
  foreach(library IN LISTS MPI_C_LIBRARIES)
    thalweg_mpi_names(names ${library} SONAME)
    list(APPEND own ${names})
  endforeach()
  if(NOT own)
    return()  # the compiler is MPI's own
  endif()
  foreach(library IN LISTS ARGN)
    thalweg_mpi_names(needed ${library} NEEDED)
    list(REMOVE_ITEM needed ${own})
    if(needed)
      message(FATAL_ERROR "${name} (${library}) is built for another MPI: it needs ${needed}, and that of "
        "${MPI_C_COMPILER} is ${own}. PKG_CONFIG_PATH says where the one for this MPI is.")
    endif()
  endforeach()
endfunction()

# The library itself opens PnetCDF at run time (src/base/private_library.hpp says why); tests and benchmarks link it.
pkg_check_modules(PNETCDF REQUIRED IMPORTED_TARGET pnetcdf)
thalweg_require_same_mpi(PnetCDF ${PNETCDF_LINK_LIBRARIES})
find_library(PNETCDF_SHARED_LIBRARY NAMES libpnetcdf${CMAKE_SHARED_LIBRARY_SUFFIX}
  HINTS ${PNETCDF_LIBRARY_DIRS} ${PNETCDF_LIBDIR})
if(NOT PNETCDF_SHARED_LIBRARY)
  message(FATAL_ERROR "PnetCDF (${PNETCDF_LINK_LIBRARIES}) has no shared library: configure it with --enable-shared.")
endif()
get_filename_component(THALWEG_PNETCDF_LIBRARY ${PNETCDF_SHARED_LIBRARY} REALPATH)
add_library(thalweg_pnetcdf_headers INTERFACE)
target_include_directories(thalweg_pnetcdf_headers SYSTEM INTERFACE ${PNETCDF_INCLUDE_DIRS} ${PNETCDF_INCLUDEDIR})

# The library itself opens HDF5 at run time (src/formats/netcdf4/hdf5_library.hpp says why); tests and benchmarks link it.
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5-${mpi} hdf5)
thalweg_require_same_mpi(HDF5 ${HDF5_LINK_LIBRARIES})
set(CMAKE_REQUIRED_INCLUDES ${HDF5_INCLUDE_DIRS})
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(H5_HAVE_PARALLEL hdf5.h THALWEG_HDF5_IS_PARALLEL)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT THALWEG_HDF5_IS_PARALLEL)
  message(FATAL_ERROR "HDF5 (${HDF5_LINK_LIBRARIES}) is not parallel (Debian: libhdf5-${mpi}-dev).")
endif()
# Its high-level library, for dimension scales, has no pkg-config file at Debian's.
find_library(HDF5_HL_LIBRARY NAMES hdf5_hl hdf5_${mpi}_hl HINTS ${HDF5_LIBRARY_DIRS} NO_DEFAULT_PATH)
if(NOT HDF5_HL_LIBRARY)
  message(FATAL_ERROR "The high-level library of parallel HDF5 not found (Debian: libhdf5-${mpi}-dev); 'make setup' installs it.")
endif()
get_filename_component(THALWEG_HDF5_LIBRARY ${HDF5_HL_LIBRARY} REALPATH)
add_library(thalweg_hdf5_headers INTERFACE)
target_include_directories(thalweg_hdf5_headers SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS} ${HDF5_INCLUDEDIR})

# The library itself opens parallel netCDF-C at run time (src/formats/netcdf4/library.hpp says why); tests and benchmarks
# link it. Debian has it for Open MPI alone.
option(THALWEG_WITH_NETCDF4 "Write netCDF-4, through a netCDF-C that is parallel with the same MPI" ON)
if(THALWEG_WITH_NETCDF4)
  pkg_search_module(NETCDF_MPI REQUIRED netcdf-mpi netcdf)
  find_path(NETCDF_MPI_INCLUDE netcdf_par.h
    HINTS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/netcdf/mpi/include ${NETCDF_MPI_INCLUDE_DIRS} ${NETCDF_MPI_INCLUDEDIR} NO_DEFAULT_PATH)
  find_library(NETCDF_MPI_LIBRARY NAMES netcdf_mpi netcdf HINTS ${NETCDF_MPI_LIBRARY_DIRS} ${NETCDF_MPI_LIBDIR})
  if(NOT NETCDF_MPI_INCLUDE OR NOT NETCDF_MPI_LIBRARY)
    message(FATAL_ERROR "Parallel netCDF-C not found (Debian: libnetcdf-mpi-dev); 'make setup' installs what is missing, "
      "-DTHALWEG_WITH_NETCDF4=OFF does without netCDF-4.")
  endif()
  thalweg_require_same_mpi("netCDF-C, which -DTHALWEG_WITH_NETCDF4=OFF does without," ${NETCDF_MPI_LIBRARY})
  get_filename_component(THALWEG_NETCDF_LIBRARY ${NETCDF_MPI_LIBRARY} REALPATH)
else()
  # The headers of any netCDF-C will do: the library calls nothing, and tests read what they can.
  pkg_check_modules(NETCDF REQUIRED netcdf)
  set(NETCDF_MPI_INCLUDE ${NETCDF_INCLUDEDIR})
  set(NETCDF_MPI_LIBRARY ${NETCDF_LINK_LIBRARIES})
  set(THALWEG_NETCDF_LIBRARY "")
endif()
add_library(thalweg_netcdf_headers INTERFACE)
target_include_directories(thalweg_netcdf_headers SYSTEM INTERFACE ${NETCDF_MPI_INCLUDE})
add_library(thalweg_netcdf INTERFACE)
target_link_libraries(thalweg_netcdf INTERFACE thalweg_netcdf_headers ${NETCDF_MPI_LIBRARY})
