// Words that headers of the netCDF classic formats are made of.
// (source: "The NetCDF Classic Format Specification", and for CDF-5 PnetCDF's "CDF-5 file format specification")
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "base/types.hpp"

namespace thalweg::formats::cdf::words {

constexpr std::int64_t tag_dimensions = 10;
constexpr std::int64_t tag_variables = 11;
constexpr std::int64_t tag_attributes = 12;

// A type's number is one more than its place here.
constexpr std::array types = {Type::int8,  Type::character, Type::int16,  Type::int32, Type::float32, Type::float64,
                              Type::uint8, Type::uint16,    Type::uint32, Type::int64, Type::uint64};

// Of numbers of elements, and of offsets in the file.
constexpr int count_bytes(int version) {
  return version == 5 ? 8 : 4;
}
constexpr int begin_bytes(int version) {
  return version == 1 ? 4 : 8;
}

// Sizes of a broken header may exceed any number: they stay at `most`, which is more than any file has.
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 4 * 4;

constexpr std::int64_t padded(std::int64_t bytes) {
  return bytes > most - 3 ? most : (bytes + 3) / 4 * 4;
}

}  // namespace thalweg::formats::cdf::words
