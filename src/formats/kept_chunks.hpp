// Decoded chunks that hold more than was asked for: what is read piece by piece is decoded once. Of one file; by all
// threads that decode what is read of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "base/box.hpp"

namespace thalweg::formats {

class KeptChunks {
 public:
  using Values = std::shared_ptr<const std::vector<std::byte>>;

  // array: by its address; chunk: its number, or its first cell. Null: it is not kept.
  Values find(const void* array, const Index& chunk) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find({array, chunk});
    if (found == places_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found->second);
    return kept_.front().values;
  }

  // The last one is kept, however large it is.
  void keep(const void* array, const Index& chunk, Values values) {
    const std::lock_guard lock(mutex_);
    arrays_.insert(array);
    kept_.push_front({{array, chunk}, std::move(values)});
    bytes_ += kept_.front().bytes();
    if (const auto [place, is_new] = places_.try_emplace(kept_.front().key, kept_.begin()); !is_new) {
      remove(place->second);  // another thread has decoded it, too
      places_[kept_.front().key] = kept_.begin();
    }
    while (kept_.size() > 1 && bytes_ > most_bytes()) {
      places_.erase(kept_.back().key);
      remove(std::prev(kept_.end()));
    }
  }

 private:
  using Key = std::pair<const void*, Index>;
  struct Kept {
    Key key;
    Values values;

    // With what says where it is, in the list and in the map.
    std::size_t bytes() const { return values->size() + 4 * sizeof(Key); }
  };
  struct IsBefore {
    bool operator()(const Key& a, const Key& b) const {
      if (a.first != b.first) return std::less<>()(a.first, b.first);
      return std::lexicographical_compare(a.second.begin(), a.second.end(), b.second.begin(), b.second.end());
    }
  };

  // As many as netCDF-C keeps of each variable, whose records are read in turn.
  std::size_t most_bytes() const {
    constexpr std::size_t at_least = std::size_t{64} << 20, of_array = std::size_t{4} << 20;
    return std::max(at_least, arrays_.size() * of_array);
  }
  void remove(std::list<Kept>::iterator kept) {
    bytes_ -= kept->bytes();
    kept_.erase(kept);
  }

  std::mutex mutex_;
  std::list<Kept> kept_;  // the last one that was used comes first
  std::map<Key, std::list<Kept>::iterator, IsBefore> places_;
  std::set<const void*> arrays_;
  std::size_t bytes_ = 0;
};

}  // namespace thalweg::formats
