#include "fields/sample.hpp"

#include <algorithm>
#include <array>

#include "fields/numbers.hpp"

namespace thalweg::fields {
namespace {

// Values of a strip stay in the nearest cache, so that several accumulators take them for the price of one read.
constexpr std::int64_t strip = 1024;

}  // namespace

Index in_memory_order(const Index& count, const put::FieldRules& rules) {
  Index ordered = count;
  for (int d = 0; d < count.rank(); ++d) ordered[rules.memory_place[static_cast<std::size_t>(d)]] = count[d];
  return ordered;
}

std::int64_t Part::cell_of_row(std::int64_t row) const {
  if (box.rank() == 0) return 0;
  std::int64_t cell = start[box.rank() - 1], stride = box[box.rank() - 1];
  for (int d = box.rank() - 2; d >= 0; --d) {
    cell += (start[d] + row % count[d]) * stride;
    row /= count[d];
    stride *= box[d];
  }
  return cell;
}

Sample::Sample(const put::Field& field, const put::FieldView& view, const Index& count, const put::FieldRules& rules)
    : data_(field.data + view.offset),
      type_(field.type),
      extent_(in_memory_order(count, rules)),
      stride_(in_memory_order(view.stride, rules)) {}

const std::byte* Sample::begin_of(std::int64_t row) const {
  const std::byte* at = data_;
  for (int d = extent_.rank() - 2; d >= 0; --d) {
    at += row % extent_[d] * stride_[d];
    row /= extent_[d];
  }
  return at;
}

void Sample::for_each_strip(const Use& use) const {
  if (cells() == 0) return;
  std::array<double, strip> values;
  const int rank = extent_.rank();
  const auto element_bytes = static_cast<std::int64_t>(size_of(type_));
  const bool is_contiguous = rank == 0 || stride_ == contiguous_strides(extent_, element_bytes);
  const std::int64_t length = is_contiguous ? cells() : extent_[rank - 1];
  const std::int64_t stride = is_contiguous ? element_bytes : stride_[rank - 1];
  std::int64_t gathered = 0;  // short rows share a strip
  std::int64_t cell = 0;
  for (std::int64_t row = 0; row < cells() / length; ++row) {
    const std::byte* from = is_contiguous ? data_ : begin_of(row);
    for (std::int64_t place = 0; place < length;) {
      const std::int64_t count = std::min(length - place, strip - gathered);
      load_numbers(type_, from + place * stride, stride, values.data() + gathered, count);
      place += count;
      gathered += count;
      if (gathered < strip) continue;
      use(cell, {values.data(), static_cast<std::size_t>(gathered)});
      cell += gathered;
      gathered = 0;
    }
  }
  if (gathered > 0) use(cell, {values.data(), static_cast<std::size_t>(gathered)});
}

std::vector<std::uint8_t> Sample::holding() const {
  std::vector<std::uint8_t> holding(static_cast<std::size_t>(cells()));
  const bool is_real = type_ == Type::float32 || type_ == Type::float64;
  for_each_strip([&](std::int64_t first_cell, std::span<const double> values) {
    std::uint8_t* to = holding.data() + first_cell;
    for (const double value : values) *to++ = (is_real ? value >= 0.5 : value != 0.0) ? 1 : 0;
  });
  return holding;
}

}  // namespace thalweg::fields
