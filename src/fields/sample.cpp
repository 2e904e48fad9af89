#include "fields/sample.hpp"

#include <algorithm>
#include <cstring>

#include "fields/numbers.hpp"
#include "put/field_rows.hpp"

namespace thalweg::fields {
namespace {

constexpr auto strip = static_cast<std::int64_t>(strip_cells);

const std::byte* start_of_row(const put::Field& field, const put::FieldRows& rows, std::int64_t row) {
  return field.data + (rows.is_one ? 0 : put::offset_of_row(row, field.extent, field.stride));
}

// Short rows share a strip. Load(from, stride, to, count) takes numbers of a row.
template <typename Number, typename Load, typename Use>
void gather_strips(const put::Field& field, const put::FieldRows& rows, const Load& load, const Use& use) {
  StripRoom<Number> values;
  std::int64_t gathered = 0;
  std::int64_t cell = 0;
  for (std::int64_t row = 0; row < field.extent.product() / rows.length; ++row) {
    const std::byte* from = start_of_row(field, rows, row);
    for (std::int64_t place = 0; place < rows.length;) {
      const std::int64_t count = std::min(rows.length - place, strip - gathered);
      load(from + place * rows.element_stride, rows.element_stride, values.data() + gathered, count);
      place += count;
      gathered += count;
      if (gathered < strip) continue;
      use(cell, std::span<const Number>(values.data(), static_cast<std::size_t>(gathered)));
      cell += gathered;
      gathered = 0;
    }
  }
  if (gathered > 0) use(cell, std::span<const Number>(values.data(), static_cast<std::size_t>(gathered)));
}

}  // namespace

Index in_memory_order(const Index& count, const put::FieldRules& rules) {
  Index ordered = count;
  for (int d = 0; d < count.rank(); ++d) ordered[rules.memory_place[static_cast<std::size_t>(d)]] = count[d];
  return ordered;
}

std::int64_t Part::cell_of_row(std::int64_t row) const {
  const Index stride = contiguous_strides(box, 1);
  return offset_of(start, stride) + put::offset_of_row(row, count, stride);
}

Sample::Sample(const put::Field& field, const put::FieldView& view, const Index& count, const put::FieldRules& rules)
    : field_{field.data + view.offset, field.type, in_memory_order(count, rules), in_memory_order(view.stride, rules)} {
}

void Sample::for_each_strip(const Use& use) const {
  if (cells() == 0) return;
  const auto load = [this](const std::byte* from, std::int64_t stride, double* to, std::int64_t count) {
    load_numbers(field_.type, from, stride, to, count);
  };
  gather_strips<double>(field_, put::rows_of(field_), load, use);
}

bool Sample::are_singles() const {
  if (field_.type != Type::float32 || reinterpret_cast<std::uintptr_t>(field_.data) % alignof(float) != 0) return false;
  for (int d = 0; d < field_.extent.rank(); ++d)
    if (field_.stride[d] % static_cast<std::int64_t>(alignof(float)) != 0) return false;
  return cells() == 0 || put::rows_of(field_).element_stride == static_cast<std::int64_t>(sizeof(float));
}

void Sample::for_each_strip_of_singles(const UseSingles& use) const {
  if (cells() == 0) return;
  constexpr std::int64_t long_row = strip / 4;  // a call for each costs less than a copy
  const put::FieldRows rows = put::rows_of(field_);
  if (rows.length < long_row) {
    const auto load = [](const std::byte* from, std::int64_t, float* to, std::int64_t count) {
      std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(float));
    };
    return gather_strips<float>(field_, rows, load, use);
  }
  for (std::int64_t cell = 0; cell < cells();) {
    const std::int64_t place = cell % rows.length, count = std::min(rows.length - place, strip);
    const std::byte* from = start_of_row(field_, rows, cell / rows.length) + place * rows.element_stride;
    use(cell, {reinterpret_cast<const float*>(from), static_cast<std::size_t>(count)});
    cell += count;
  }
}

std::vector<std::uint8_t> Sample::holding() const {
  std::vector<std::uint8_t> holding(static_cast<std::size_t>(cells()));
  const bool is_of_reals = is_real(field_.type);
  for_each_strip([&](std::int64_t first_cell, std::span<const double> values) {
    std::uint8_t* to = holding.data() + first_cell;
    for (const double value : values) *to++ = (is_of_reals ? value >= 0.5 : value != 0.0) ? 1 : 0;
  });
  return holding;
}

}  // namespace thalweg::fields
