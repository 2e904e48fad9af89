// How the values of a dataset lie in its file, as HDF5 says it: whoever knows that reads them without HDF5.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "base/types.hpp"
#include "storage/posix.hpp"
#include "transform/filter.hpp"

namespace thalweg::formats::netcdf4 {

struct ChunkFilter {
  const transform::Filter* filter = nullptr;
  std::size_t element_bytes = 1;  // of one that orders bytes
};

struct StoredDataset {
  Type type = Type::float64;
  std::endian order = std::endian::little;
  Index shape;                       // with the record dimension
  std::uint64_t address = 0;         // of the values; of the tree of chunks, where there is a chunk
  Index chunk;                       // no dimensions: the values are contiguous
  std::vector<ChunkFilter> filters;  // as they follow each other in encoding
};

// Nothing: it is stored in another way than contiguous or in chunks that a tree of version 1 finds, with other filters
// than are known here, or as another type; or HDF5 does not say it. file: the one at that path. Takes a LibraryTurn.
// Errors: STORAGE, DEADLINE.
std::optional<StoredDataset> stored_dataset(const storage::Descriptor& file, const std::string& path,
                                            const std::string& name, Type type);

}  // namespace thalweg::formats::netcdf4
