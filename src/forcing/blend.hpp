// The field between two records, put into the model's array. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "geometry/index_list.hpp"
#include "put/field_view.hpp"

namespace thalweg::forcing {

// Elements of an array in the order of memory, that follow each other.
using geometry::Stretch;

// Of the elements that are not zero.
std::vector<Stretch> stretches_of(std::span<const std::byte> is_covered);

// Two records of a field as contiguous arrays of its extents and type.
struct Records {
  const std::byte* lower = nullptr;
  const std::byte* upper = nullptr;  // null: the lower one is the field, bit for bit
  double weight = 0.0;               // 0: the upper one is not looked at
  std::optional<double> missing;     // what is given where the field is NaN; nothing: NaN
};

// Puts lower + weight * (upper - lower), in float64 and rounded once, into the stretches of the field, which is of
// float32 or float64 if there is an upper record. Strides may be of any sign.
void blend(const Records& records, const std::vector<Stretch>& stretches, const put::Field& field, std::byte* data);

}  // namespace thalweg::forcing
