// Bytes that are to be written into a file, not yet there: the latest write of each byte, in order of place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "store/format_file.hpp"

namespace thalweg::store {

class WriteOverlay {
 public:
  void write(std::int64_t offset, std::span<const std::byte> bytes);
  // Adds later writes on top.
  void write(const WriteOverlay& later);
  // Puts what is held over bytes that were read from the file at offset.
  void cover(std::int64_t offset, std::span<std::byte> bytes) const;
  // The writes, adjacent ones joined.
  std::vector<MetadataWrite> joined() const;
  bool empty() const { return pieces_.empty(); }

 private:
  using Pieces = std::map<std::int64_t, std::vector<std::byte>>;
  void cut(std::int64_t begin, std::int64_t end);
  Pieces::const_iterator first_touching(std::int64_t offset) const;
  Pieces pieces_;  // disjoint
};

}  // namespace thalweg::store
