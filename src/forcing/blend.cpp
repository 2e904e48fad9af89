#include "forcing/blend.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace thalweg::forcing {
namespace {

// A row of an array: its elements along the fastest dimension, or those of all dimensions where they follow each other.
struct Rows {
  std::int64_t length = 0;
  std::int64_t element_stride = 0;  // bytes
  bool is_one = false;
};

Rows rows_of(const put::Field& field) {
  const int rank = field.extent.rank();
  const auto element_bytes = static_cast<std::int64_t>(size_of(field.type));
  if (rank == 0) return {1, element_bytes, true};
  const bool is_contiguous = field.stride == contiguous_strides(field.extent, element_bytes);
  if (is_contiguous) return {field.extent.product(), element_bytes, true};
  return {field.extent[rank - 1], field.stride[rank - 1], false};
}

std::byte* row_at(const put::Field& field, std::byte* data, std::int64_t row) {
  for (int d = field.extent.rank() - 2; d >= 0; --d) {
    data += row % field.extent[d] * field.stride[d];
    row /= field.extent[d];
  }
  return data;
}

// Calls use(first element of the contiguous array, number of them, where the first lies in the field).
template <typename Use>
void for_each_part(const std::vector<Stretch>& stretches, const put::Field& field, std::byte* data, const Use& use) {
  const Rows rows = rows_of(field);
  for (const Stretch& stretch : stretches) {
    for (std::int64_t at = stretch.start; at < stretch.stop();) {
      const std::int64_t row = at / rows.length, place = at % rows.length;
      const std::int64_t count = std::min(stretch.stop() - at, rows.length - place);
      std::byte* to = (rows.is_one ? data : row_at(field, data, row)) + place * rows.element_stride;
      use(at, count, to, rows.element_stride);
      at += count;
    }
  }
}

template <typename Number>
struct Between {
  double weight;
  std::optional<double> missing;

  Number of(Number lower, Number upper) const {
    if (weight == 0.0) return lower;
    const auto from = static_cast<double>(lower);
    return static_cast<Number>(from + weight * (static_cast<double>(upper) - from));
  }

  void fill(const Number* lower, const Number* upper, std::int64_t count, std::byte* to, std::int64_t stride) const {
    if (stride == sizeof(Number)) {
      auto* out = reinterpret_cast<Number*>(to);
      for (std::int64_t i = 0; i < count; ++i) out[i] = of(lower[i], upper[i]);
      if (missing) replace_missing(out, count);
      return;
    }
    for (std::int64_t i = 0; i < count; ++i, to += stride) {
      Number value = of(lower[i], upper[i]);
      if (missing) replace_missing(&value, 1);
      std::memcpy(to, &value, sizeof value);
    }
  }

  void replace_missing(Number* out, std::int64_t count) const {
    const auto instead = static_cast<Number>(*missing);
    for (std::int64_t i = 0; i < count; ++i) out[i] = std::isnan(out[i]) ? instead : out[i];
  }
};

template <typename Number>
void blend_numbers(const Records& records, const std::vector<Stretch>& stretches, const put::Field& field,
                   std::byte* data) {
  const auto* lower = reinterpret_cast<const Number*>(records.lower);
  const auto* upper = reinterpret_cast<const Number*>(records.upper);
  const Between<Number> between{records.weight, records.missing};
  for_each_part(stretches, field, data, [&](std::int64_t at, std::int64_t count, std::byte* to, std::int64_t stride) {
    between.fill(lower + at, upper + at, count, to, stride);
  });
}

void copy(const std::byte* from, const std::vector<Stretch>& stretches, const put::Field& field, std::byte* data) {
  const auto bytes = static_cast<std::int64_t>(size_of(field.type));
  for_each_part(stretches, field, data, [&](std::int64_t at, std::int64_t count, std::byte* to, std::int64_t stride) {
    const std::byte* source = from + at * bytes;
    if (stride == bytes) return static_cast<void>(std::memcpy(to, source, count * bytes));
    for (std::int64_t i = 0; i < count; ++i, to += stride, source += bytes) std::memcpy(to, source, bytes);
  });
}

}  // namespace

std::vector<Stretch> stretches_of(std::span<const std::byte> is_covered) {
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i < is_covered.size(); ++i) {
    if (is_covered[i] == std::byte{0}) continue;
    const auto at = static_cast<std::int64_t>(i);
    if (!stretches.empty() && stretches.back().stop() == at)
      ++stretches.back().length;
    else
      stretches.push_back({at, 1});
  }
  return stretches;
}

void blend(const Records& records, const std::vector<Stretch>& stretches, const put::Field& field, std::byte* data) {
  if (records.upper == nullptr)
    copy(records.lower, stretches, field, data);
  else if (field.type == Type::float32)
    blend_numbers<float>(records, stretches, field, data);
  else
    blend_numbers<double>(records, stretches, field, data);
}

}  // namespace thalweg::forcing
