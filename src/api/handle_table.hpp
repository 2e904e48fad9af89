// Where handles of a kind lie: at places that are never given back, nor to another handle. So one that is stale, or was
// never set, is told from a live one without a look at memory that is not ours. It costs some bytes for each handle
// that a process ever had.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>

namespace thalweg::api {

template <typename Handle>
class HandleTable {
 public:
  HandleTable() = default;
  // The table of the process is never destroyed.
  ~HandleTable() {
    std::size_t left = count_.load(std::memory_order_relaxed);
    for (std::size_t slab = 0; left > 0; ++slab) {
      Handle* const first = slabs_.at(slab).load(std::memory_order_relaxed);
      const std::size_t made = std::min(left, size_of_slab(slab));
      std::destroy_n(first, made);
      std::allocator<Handle>().deallocate(first, size_of_slab(slab));
      left -= made;
    }
  }
  HandleTable(const HandleTable&) = delete;
  HandleTable& operator=(const HandleTable&) = delete;

  // A new handle, as Handle{} makes it.
  Handle& make() {
    const std::lock_guard lock(mutex_);
    std::size_t slab = 0;
    std::size_t number = count_.load(std::memory_order_relaxed);
    while (number >= size_of_slab(slab)) number -= size_of_slab(slab++);
    Handle* first = slabs_.at(slab).load(std::memory_order_relaxed);
    if (first == nullptr) {
      first = std::allocator<Handle>().allocate(size_of_slab(slab));
      slabs_.at(slab).store(first, std::memory_order_release);
    }
    Handle* made = new (first + number) Handle();
    count_.fetch_add(1, std::memory_order_release);
    return *made;
  }

  // Whether it was made here, whatever the pointer is. Takes no lock and looks at nothing behind the pointer.
  bool has(const Handle* handle) const noexcept {
    std::size_t left = count_.load(std::memory_order_acquire);
    for (std::size_t slab = 0; left > 0; ++slab) {
      const std::size_t size = left < size_of_slab(slab) ? left : size_of_slab(slab);
      const auto first = reinterpret_cast<std::uintptr_t>(slabs_[slab].load(std::memory_order_acquire));
      const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(handle) - first;
      if (offset < size * sizeof(Handle)) return offset % sizeof(Handle) == 0;
      left -= size;
    }
    return false;
  }

  // Those that were made so far.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    std::size_t left = count_.load(std::memory_order_acquire);
    for (std::size_t slab = 0; left > 0; ++slab) {
      const std::size_t made = left < size_of_slab(slab) ? left : size_of_slab(slab);
      Handle* const first = slabs_[slab].load(std::memory_order_acquire);
      for (std::size_t i = 0; i < made; ++i) visit(first[i]);
      left -= made;
    }
  }

 private:
  static constexpr std::size_t size_of_slab(std::size_t slab) { return std::size_t{64} << slab; }

  std::mutex mutex_;
  std::array<std::atomic<Handle*>, 40> slabs_{};
  std::atomic<std::size_t> count_{0};
};

// One table for the process. It is never destroyed, because a program may end, or call Thalweg, after its static
// objects are.
template <typename Handle>
HandleTable<Handle>& handles() {
  static auto* const table = new HandleTable<Handle>();
  return *table;
}

}  // namespace thalweg::api
