#pragma once

#include <cstdint>

#include "staging/block_id.hpp"

namespace thalweg::block {

// One filling of a collection's variables, closed together. Where it goes is its label, given by the clock or by the
// program; blocks are found by its number alone.
struct Moment {
  std::int64_t number = 0;         // of the collection, counted over all its files
  std::int64_t index_in_file = 0;  // of the record that it becomes

  // Stands for the one filling of variables without records.
  static constexpr Moment fixed() { return {staging::BlockAddress::fixed, 0}; }
};

}  // namespace thalweg::block
