// How formats whose chunks are objects cut an array: chunks, and objects that hold one chunk or, sharded, several. All
// extents have the record dimension first, if the variable has one; dimensions that an index list joins are one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/box.hpp"

namespace thalweg::block {

struct ObjectGrid {
  Index shape;  // with 0 records
  Index chunk;
  Index object;  // a multiple of chunk
  bool has_record = false;

  Index objects() const;        // number of objects along each dimension, of one row of the record dimension
  Index object_chunks() const;  // number of chunks of an object along each dimension
};

constexpr std::int64_t missing_chunk = -1;

class ObjectLayout {
 public:
  virtual ~ObjectLayout() = default;

  virtual const ObjectGrid& grid(int variable) const = 0;

  // Key of the object with this number (row-major in grid(variable).objects()) that holds the record. Variables without
  // record dimension ignore the record.
  virtual std::string key(int variable, std::int64_t record, std::int64_t object) const = 0;

  // What ends an object of several chunks, which lie one after the other without gaps: of so many bytes each, in the
  // order of the object's grid, or missing_chunk.
  virtual std::vector<std::byte> index_of(std::span<const std::int64_t> chunk_bytes) const = 0;
};

}  // namespace thalweg::block
