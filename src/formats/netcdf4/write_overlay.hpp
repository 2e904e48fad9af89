// Bytes that are to be written into a file, not yet there: the latest write of each byte, in order of place. Those that
// show a reader what the others made are kept apart, because they are to be written last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "block/transaction.hpp"

namespace thalweg::formats::netcdf4 {

enum class WriteOrder { first, last };

class WriteOverlay {
 public:
  void write(std::int64_t offset, std::span<const std::byte> bytes, WriteOrder order = WriteOrder::first);
  // Adds later writes on top.
  void write(const WriteOverlay& later);
  // Puts what is held over bytes that were read from the file at offset.
  void cover(std::int64_t offset, std::span<std::byte> bytes) const;
  // Those of that order, of pieces whose offset is as asked for; adjacent ones joined.
  using Choice = std::function<bool(std::int64_t)>;
  std::vector<block::MetadataWrite> joined(
      WriteOrder order, const Choice& is_chosen = [](std::int64_t) { return true; }) const;
  // The pieces, as they were written where no later write has cut them.
  void each(const std::function<void(std::int64_t, std::span<const std::byte>)>& action) const;
  void each(const std::function<void(std::int64_t, std::span<std::byte>)>& action);
  bool has(std::int64_t offset) const { return pieces_.contains(offset); }
  // The piece at that offset, which is held no more.
  std::vector<std::byte> take(std::int64_t offset);
  bool empty() const { return pieces_.empty(); }

 private:
  struct Piece {
    std::vector<std::byte> bytes;
    WriteOrder order = WriteOrder::first;
  };
  using Pieces = std::map<std::int64_t, Piece>;
  static std::int64_t end_of(const Pieces::value_type& piece) { return piece.first + std::ssize(piece.second.bytes); }
  void cut(std::int64_t begin, std::int64_t end);
  Pieces::const_iterator first_touching(std::int64_t offset) const;
  Pieces pieces_;  // disjoint
};

}  // namespace thalweg::formats::netcdf4
