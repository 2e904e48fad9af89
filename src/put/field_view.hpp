// An array as the model passes it, seen as a box of a variable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "base/types.hpp"

namespace thalweg::put {

// Dimensions in memory order.
struct Field {
  const std::byte* data = nullptr;
  Type type = Type::float64;
  Index extent;
  Index stride;  // bytes
};

// Byte strides of the field in file order; offset: bytes from the field's first element to the box's first cell.
struct FieldView {
  Index stride;
  std::int64_t offset = 0;
};

// How the arrays of a variable lie: for each of its dimensions, where it is in memory, and of which dimension of the
// decomposition it has the halo; -1: of none.
struct FieldRules {
  std::vector<int> memory_place;
  std::vector<int> decomposed;
  Index halo_low;  // of the decomposition's dimensions
  Index halo_high;
};

// A box of values that lie row-major in the variable's dimensions.
Field contiguous_field(const std::byte* data, Type type, const Index& count, const FieldRules& rules);

// After checking that it can be the box: each extent with the halo or without. Errors: SHAPE; the text begins with
// `where`.
FieldView view_field(const Field& field, const Box& box, const FieldRules& rules, const std::string& where);

}  // namespace thalweg::put
