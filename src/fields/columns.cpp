#include "fields/columns.hpp"

#include <algorithm>

#include "fields/numbers.hpp"

namespace thalweg::fields {

Columns::Columns(const put::Field& array, int along)
    : others_{array.data, array.type, {}, {}}, levels_(array.extent[along]), level_stride_(array.stride[along]) {
  for (int d = 0; d < array.extent.rank(); ++d) {
    if (d == along) continue;
    others_.extent.push_back(array.extent[d]);
    others_.stride.push_back(array.stride[d]);
    if (d > along) inner_ *= array.extent[d];
  }
  rows_ = put::rows_of(others_);
}

void Columns::load(std::int64_t level, std::int64_t first, std::int64_t columns, double* to) const {
  for (std::int64_t done = 0; done < columns;) {
    const std::int64_t row = (first + done) / rows_.length, place = (first + done) % rows_.length;
    const std::int64_t run = std::min(columns - done, rows_.length - place);
    const std::int64_t row_offset = rows_.is_one ? 0 : put::offset_of_row(row, others_.extent, others_.stride);
    load_numbers(others_.type, others_.data + level * level_stride_ + row_offset + place * rows_.element_stride,
                 rows_.element_stride, to + done, run);
    done += run;
  }
}

}  // namespace thalweg::fields
