// Boxes of a global index space: start and count a dimension, slowest dimension first. Pure arithmetic.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>

namespace thalweg {

constexpr int max_rank = 8;

// As many indices or extents as there are dimensions; no heap.
class Index {
 public:
  Index() = default;
  Index(std::initializer_list<std::int64_t> values) : rank_(static_cast<int>(values.size())) {
    std::copy(values.begin(), values.end(), values_.begin());
  }
  explicit Index(std::span<const std::int64_t> values) : rank_(static_cast<int>(values.size())) {
    std::copy(values.begin(), values.end(), values_.begin());
  }
  static Index filled(int rank, std::int64_t value) {
    Index index;
    index.rank_ = rank;
    std::fill_n(index.values_.begin(), rank, value);
    return index;
  }

  int rank() const { return rank_; }
  std::int64_t& operator[](int d) { return values_[static_cast<std::size_t>(d)]; }
  std::int64_t operator[](int d) const { return values_[static_cast<std::size_t>(d)]; }
  const std::int64_t* begin() const { return values_.data(); }
  const std::int64_t* end() const { return values_.data() + rank_; }
  void push_back(std::int64_t value) { values_[static_cast<std::size_t>(rank_++)] = value; }
  std::int64_t product() const {
    std::int64_t result = 1;
    for (std::int64_t value : *this) result *= value;
    return result;
  }
  friend bool operator==(const Index& a, const Index& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  std::array<std::int64_t, max_rank> values_{};
  int rank_ = 0;
};

struct Box {
  Index start;
  Index count;

  int rank() const { return start.rank(); }
  std::int64_t cells() const { return count.product(); }
  std::int64_t stop(int d) const { return start[d] + count[d]; }
  bool empty() const {
    return std::any_of(count.begin(), count.end(), [](std::int64_t n) { return n <= 0; });
  }
  friend bool operator==(const Box&, const Box&) = default;
};

// The common part of two boxes of equal rank; nothing if they share no cell.
inline std::optional<Box> intersect(const Box& a, const Box& b) {
  Box common{Index::filled(a.rank(), 0), Index::filled(a.rank(), 0)};
  for (int d = 0; d < a.rank(); ++d) {
    common.start[d] = std::max(a.start[d], b.start[d]);
    common.count[d] = std::min(a.stop(d), b.stop(d)) - common.start[d];
    if (common.count[d] <= 0) return std::nullopt;
  }
  return common;
}

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

// How many parts of that extent cover the whole, along each dimension.
inline Index divide_up(const Index& whole, const Index& part) {
  Index count = whole;
  for (int d = 0; d < count.rank(); ++d) count[d] = divide_up(whole[d], part[d]);
  return count;
}

// Of an index, in bytes.
inline std::int64_t offset_of(const Index& at, const Index& stride) {
  std::int64_t offset = 0;
  for (int d = 0; d < at.rank(); ++d) offset += at[d] * stride[d];
  return offset;
}

inline Box whole(const Index& shape) {
  return {Index::filled(shape.rank(), 0), shape};
}

// The box with `steps` times `by` added to its start.
inline Box moved(Box box, const Index& by, std::int64_t steps) {
  for (int d = 0; d < box.rank(); ++d) box.start[d] += steps * by[d];
  return box;
}

// Byte strides of a contiguous array, last dimension fastest.
inline Index contiguous_strides(const Index& count, std::int64_t element_bytes) {
  Index stride = Index::filled(count.rank(), 0);
  std::int64_t bytes = element_bytes;
  for (int d = count.rank() - 1; d >= 0; --d) {
    stride[d] = bytes;
    bytes *= count[d];
  }
  return stride;
}

// "[3:8, 0:4]", for messages: first and one past the last index a dimension.
inline std::string to_string(const Box& box) {
  std::string text = "[";
  for (int d = 0; d < box.rank(); ++d) text += fmt::format("{}{}:{}", d == 0 ? "" : ", ", box.start[d], box.stop(d));
  return text + "]";
}

inline std::string to_string(const Index& index) {
  return fmt::format("({})", fmt::join(index.begin(), index.end(), ", "));
}

}  // namespace thalweg
