// The field between two records, put into the model's array. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "forcing/missing_marks.hpp"
#include "geometry/index_list.hpp"
#include "put/field_view.hpp"

namespace thalweg::forcing {

// Elements of an array in the order of memory, that follow each other.
using geometry::Stretch;

// Of the elements that are not zero.
std::vector<Stretch> stretches_of(std::span<const std::byte> is_covered);

// A record of a field as a contiguous array of its extents and type.
struct Record {
  const std::byte* values = nullptr;
  MissingMarks missing{};
};

// What gives a field of float32 or float64.
struct Between {
  Record lower, upper;
  double weight = 0.0;              // 0: the upper one is not looked at
  std::optional<double> instead{};  // of what is missing in one of both; nothing: NaN
};

// Puts lower + weight * (upper - lower), in float64 and rounded once, into the stretches of the field. Strides may be
// of any sign.
void blend(const Between& between, const std::vector<Stretch>& stretches, const put::Field& field, std::byte* data);

// Puts the record, bit for bit, into the stretches of the field, of whatever type.
void copy(const std::byte* record, const std::vector<Stretch>& stretches, const put::Field& field, std::byte* data);

}  // namespace thalweg::forcing
