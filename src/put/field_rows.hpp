// The rows of an array as the model passes it. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "put/field_view.hpp"

namespace thalweg::put {

// A row: elements along the fastest dimension, or those of all dimensions where they follow each other.
struct FieldRows {
  std::int64_t length = 0;
  std::int64_t element_stride = 0;  // bytes
  bool is_one = false;
};

inline FieldRows rows_of(const Field& field) {
  const int rank = field.extent.rank();
  const auto element_bytes = static_cast<std::int64_t>(size_of(field.type));
  if (rank == 0) return {1, element_bytes, true};
  const bool is_contiguous = field.stride == contiguous_strides(field.extent, element_bytes);
  if (is_contiguous) return {field.extent.product(), element_bytes, true};
  return {field.extent[rank - 1], field.stride[rank - 1], false};
}

// Where a row along the fastest dimension begins, counted row by row: in the unit of the strides.
inline std::int64_t offset_of_row(std::int64_t row, const Index& extent, const Index& stride) {
  std::int64_t offset = 0;
  for (int d = extent.rank() - 2; d >= 0; --d) {
    offset += row % extent[d] * stride[d];
    row /= extent[d];
  }
  return offset;
}

// All elements, one behind the other, the last dimension fastest.
inline void copy_in_order(const Field& field, std::byte* to) {
  const FieldRows rows = rows_of(field);
  const std::int64_t cells = field.extent.product();
  const auto element_bytes = static_cast<std::int64_t>(size_of(field.type));
  for (std::int64_t row = 0; row * rows.length < cells; ++row) {
    const std::byte* from = field.data + (rows.is_one ? 0 : offset_of_row(row, field.extent, field.stride));
    if (rows.element_stride == element_bytes) {
      std::memcpy(to, from, static_cast<std::size_t>(rows.length * element_bytes));
      to += rows.length * element_bytes;
      continue;
    }
    for (std::int64_t i = 0; i < rows.length; ++i, to += element_bytes)
      std::memcpy(to, from + i * rows.element_stride, static_cast<std::size_t>(element_bytes));
  }
}

}  // namespace thalweg::put
