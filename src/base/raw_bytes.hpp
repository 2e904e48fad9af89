// Bytes that are written before they are read: a vector would fill them first.
#pragma once

#include <cstddef>
#include <memory>

namespace thalweg {

class RawBytes {
 public:
  RawBytes() = default;
  explicit RawBytes(std::size_t size) { resize(size); }

  // What it holds is lost where it grows.
  void resize(std::size_t size) {
    if (size > capacity_) {
      bytes_ = std::make_unique_for_overwrite<std::byte[]>(size);
      capacity_ = size;
    }
    size_ = size;
  }
  std::byte* data() { return bytes_.get(); }
  const std::byte* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::byte* begin() { return data(); }
  std::byte* end() { return data() + size_; }
  const std::byte* begin() const { return data(); }
  const std::byte* end() const { return data() + size_; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace thalweg
