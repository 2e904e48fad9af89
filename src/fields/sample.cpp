#include "fields/sample.hpp"

#include <algorithm>
#include <array>

#include "fields/numbers.hpp"
#include "put/field_rows.hpp"

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
  const Index stride = contiguous_strides(box, 1);
  return offset_of(start, stride) + put::offset_of_row(row, count, stride);
}

Sample::Sample(const put::Field& field, const put::FieldView& view, const Index& count, const put::FieldRules& rules)
    : field_{field.data + view.offset, field.type, in_memory_order(count, rules), in_memory_order(view.stride, rules)} {
}

void Sample::for_each_strip(const Use& use) const {
  if (cells() == 0) return;
  std::array<double, strip> values;
  const put::FieldRows rows = put::rows_of(field_);
  std::int64_t gathered = 0;  // short rows share a strip
  std::int64_t cell = 0;
  for (std::int64_t row = 0; row < cells() / rows.length; ++row) {
    const std::byte* from = field_.data + (rows.is_one ? 0 : put::offset_of_row(row, field_.extent, field_.stride));
    for (std::int64_t place = 0; place < rows.length;) {
      const std::int64_t count = std::min(rows.length - place, strip - gathered);
      load_numbers(field_.type, from + place * rows.element_stride, rows.element_stride, values.data() + gathered,
                   count);
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
  const bool is_of_reals = is_real(field_.type);
  for_each_strip([&](std::int64_t first_cell, std::span<const double> values) {
    std::uint8_t* to = holding.data() + first_cell;
    for (const double value : values) *to++ = (is_of_reals ? value >= 0.5 : value != 0.0) ? 1 : 0;
  });
  return holding;
}

}  // namespace thalweg::fields
