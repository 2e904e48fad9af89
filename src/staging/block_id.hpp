// How a block in the staging memory is named: for its collection by its address, between processes by its id.
#pragma once

#include <cstdint>

namespace thalweg::staging {

// The number of a block in the staging memory of its node, as it travels through a ready queue.
enum class BlockId : std::uint32_t {};

constexpr BlockId operator+(BlockId id, std::int64_t blocks) {
  return BlockId{static_cast<std::uint32_t>(id) + static_cast<std::uint32_t>(blocks)};
}
constexpr std::int64_t operator-(BlockId id, BlockId first) {
  return std::int64_t{static_cast<std::uint32_t>(id)} - static_cast<std::int64_t>(first);
}

// Which block of a collection, filled at which moment: the moments are the fillings of a collection's variables that
// are closed together, counted from 0.
struct BlockAddress {
  static constexpr std::int64_t fixed = -1;  // instead of a moment: of variables without records
  std::int64_t moment = fixed;
  std::int64_t block = 0;  // among those of a moment, or among the fixed ones

  bool is_fixed() const { return moment == fixed; }
};

}  // namespace thalweg::staging
