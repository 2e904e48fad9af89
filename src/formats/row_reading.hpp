// Values of a part of a row-major array that lies in a file as it is: rows that lie near each other are read at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/box.hpp"
#include "base/box_spans.hpp"
#include "base/raw_bytes.hpp"
#include "base/types.hpp"
#include "transform/copy.hpp"

namespace thalweg::formats {

// To copy so many bytes that nobody wants takes no longer than a call for the next row.
constexpr std::int64_t row_gap_bytes = 2048;
constexpr std::int64_t most_span_bytes = std::int64_t{1} << 20;

// read(offset, bytes) reads at so many bytes behind the first cell of the array of `outer`, which contains the part.
// values: the row-major array of the part; room: for rows with what lies between them.
template <typename Read>
void read_rows(const Box& outer, const Box& part, Type type, RawBytes& room, std::span<std::byte> values, Read&& read) {
  const auto element_bytes = static_cast<std::int64_t>(size_of(type));
  const Index strides = contiguous_strides(outer.count, 1);
  const auto bytes_of = [&](std::int64_t cells) { return static_cast<std::size_t>(cells * element_bytes); };
  const auto place = [&](const Box& box) {
    Index cell = box.start;
    for (int d = 0; d < cell.rank(); ++d) cell[d] -= outer.start[d];
    return offset_of(cell, strides) * element_bytes;
  };
  for_each_span(part, strides, row_gap_bytes / element_bytes, most_span_bytes / element_bytes, [&](const Box& box) {
    const std::span<std::byte> target = values.first(bytes_of(box.cells()));
    values = values.subspan(target.size());
    const std::int64_t span = span_of(box.count, strides);
    if (span == box.cells()) return read(place(box), target);
    room.resize(bytes_of(span));
    read(place(box), std::span<std::byte>(room.data(), room.size()));
    transform::copy_box({.count = box.count,
                         .source_stride = contiguous_strides(outer.count, element_bytes),
                         .target_stride = contiguous_strides(box.count, element_bytes),
                         .source_type = type,
                         .target_type = type},
                        room.data(), target.data());
  });
}

}  // namespace thalweg::formats
