// Where HDF5 keeps the values of a dataset, read from the header of the object without the library: HDF5 follows what
// it finds there as soon as a dataset is opened.
// (source: HDF5 File Format Specification 3.0, IV.A "Disk Format: Level 2A - Data Object Headers")
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "storage/posix.hpp"

namespace thalweg::formats::netcdf4 {

enum class Hdf5Layout { compact, contiguous, chunked, elsewhere };  // the last one is virtual

struct Hdf5Storage {
  Hdf5Layout layout = Hdf5Layout::contiguous;
  std::optional<std::uint64_t> chunk_tree;  // the root's address, where a B-tree of version 1 finds chunks
};

// address: of the object's header in the file, whose addresses and lengths have 8 bytes. Nothing: it has no such
// message, or is damaged. Errors: STORAGE.
std::optional<Hdf5Storage> hdf5_storage(const storage::Descriptor& file, const std::string& path,
                                        std::uint64_t address);

}  // namespace thalweg::formats::netcdf4
