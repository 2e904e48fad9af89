# Finds what Thalweg stands on. Debian's pkg-config file of parallel netCDF names the headers of the serial library, so
# its own include folder is put first here.
find_package(MPI 3.1 REQUIRED COMPONENTS C CXX Fortran)
find_package(Threads REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(PNETCDF REQUIRED IMPORTED_TARGET pnetcdf)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-openmpi)
pkg_check_modules(NETCDF_MPI REQUIRED netcdf-mpi)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)

# The high-level library of parallel HDF5, for dimension scales, has no pkg-config file.
find_library(HDF5_HL_LIBRARY NAMES hdf5_hl hdf5_openmpi_hl HINTS ${HDF5_LIBRARY_DIRS} NO_DEFAULT_PATH)
if(NOT HDF5_HL_LIBRARY)
  message(FATAL_ERROR "The high-level library of parallel HDF5 not found (Debian: libhdf5-openmpi-dev); 'make setup' installs it.")
endif()

find_path(NETCDF_MPI_INCLUDE netcdf_par.h
  HINTS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/netcdf/mpi/include ${NETCDF_MPI_INCLUDE_DIRS} NO_DEFAULT_PATH)
find_library(NETCDF_MPI_LIBRARY NAMES netcdf_mpi HINTS ${NETCDF_MPI_LIBRARY_DIRS})
if(NOT NETCDF_MPI_INCLUDE OR NOT NETCDF_MPI_LIBRARY)
  message(FATAL_ERROR "Parallel netCDF-C not found (Debian: libnetcdf-mpi-dev); 'make setup' installs what is missing.")
endif()
# The library itself opens parallel netCDF-C at run time (src/store/netcdf4_define.cpp says why); tests and benchmarks
# link it.
get_filename_component(THALWEG_NETCDF_LIBRARY ${NETCDF_MPI_LIBRARY} REALPATH)
add_library(thalweg_netcdf_headers INTERFACE)
target_include_directories(thalweg_netcdf_headers SYSTEM INTERFACE ${NETCDF_MPI_INCLUDE})
add_library(thalweg_netcdf INTERFACE)
target_link_libraries(thalweg_netcdf INTERFACE thalweg_netcdf_headers ${NETCDF_MPI_LIBRARY})

# The C++ bindings that some mpi.h still bring along are neither used nor linked, here and by users of thalweg.h.
set(THALWEG_NO_MPI_CXX $<$<COMPILE_LANGUAGE:CXX>:OMPI_SKIP_MPICXX> $<$<COMPILE_LANGUAGE:CXX>:MPICH_SKIP_MPICXX>)
