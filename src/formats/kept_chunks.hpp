// Decoded chunks that hold more than was asked for: what is read piece by piece is decoded once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <list>
#include <span>
#include <utility>
#include <vector>

#include "base/box.hpp"

namespace thalweg::formats {

class KeptChunks {
 public:
  // array: by its address; chunk: its number, or its first cell. Null: it is not kept. Valid until the next keep().
  const std::vector<std::byte>* find(const void* array, const Index& chunk) {
    const auto found =
        std::ranges::find_if(kept_, [&](const Kept& kept) { return kept.array == array && kept.chunk == chunk; });
    if (found == kept_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found);
    return &kept_.front().values;
  }

  const std::vector<std::byte>& keep(const void* array, const Index& chunk, std::vector<std::byte> values) {
    std::size_t bytes = values.size();
    kept_.push_front({array, chunk, std::move(values)});
    auto first = std::next(kept_.begin());  // that is not kept; the last one is, however large it is
    for (; first != kept_.end() && bytes + first->values.size() <= most_bytes; ++first) bytes += first->values.size();
    kept_.erase(first, kept_.end());
    return kept_.front().values;
  }

 private:
  static constexpr std::size_t most_bytes = std::size_t{16} << 20;

  struct Kept {
    const void* array;
    Index chunk;
    std::vector<std::byte> values;
  };
  std::list<Kept> kept_;  // the last one that was used comes first
};

}  // namespace thalweg::formats
