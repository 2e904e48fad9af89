// The superblock, with which an HDF5 file begins.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace thalweg::formats::netcdf4 {

// Of versions 2 and 3, which HDF5 writes where groups keep the order of what is in them, as netCDF-C wants it.
using Superblock = std::array<std::byte, 48>;

// Whether it is one, whose checksum is right.
bool is_superblock(const Superblock& bytes);

// Says another length of the file. HDF5 does so of its own accord only when it has lengthened the file itself.
void set_file_bytes(Superblock& bytes, std::int64_t file_bytes);

}  // namespace thalweg::formats::netcdf4
