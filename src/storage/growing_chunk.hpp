// A chunk that spans several records of a small variable, such as time: it is kept in memory until all its records are
// there, and put as a whole each time that records are committed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace thalweg::storage {

// One place in the grid of chunks of a variable, for all rows of records.
class GrowingChunk {
 public:
  // record_bytes: of one record in the chunk. Cells without a record hold the fill value.
  GrowingChunk(Type type, std::int64_t record_bytes, std::int64_t chunk_records, const Element& fill);

  // Records may come in any order. bytes: little-endian, as the chunk has them.
  void put(std::int64_t record, std::span<const std::byte> bytes);

  // Hands out the rows that changed since the last commit, and forgets those that the first `records` records complete.
  // A row may hold later records already: nobody sees them before they are committed.
  using Write = std::function<void(std::int64_t row, std::span<const std::byte> chunk)>;
  void commit(std::int64_t records, const Write& write);

 private:
  struct Row {
    std::vector<std::byte> bytes;
    bool changed = false;
  };
  std::int64_t record_bytes_;
  std::int64_t chunk_records_;
  std::vector<std::byte> empty_;
  std::map<std::int64_t, Row> rows_;
};

}  // namespace thalweg::storage
