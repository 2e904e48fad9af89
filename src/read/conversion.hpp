// From the values of a file to those of the model: their type, what packing and missing values mean. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "catalog/definition.hpp"

namespace thalweg::read {

// What attributes say of a variable's values (source: CF conventions 1.11, sections 2.5.1 and 8.1; NUG, appendix A).
struct Packing {
  std::optional<double> scale;   // scale_factor
  std::optional<double> offset;  // add_offset
  bool is_unsigned = false;      // _Unsigned: signed bits are those of an unsigned number
  std::vector<Element> missing;  // _FillValue and missing_value, in the type of the file

  bool packs() const { return scale || offset; }
};
Packing packing_of(const catalog::Variable& variable);

struct Conversion {
  Type from{};
  Type to{};
  Packing packing;
  std::optional<double> replacement;  // of missing values; nothing: they are given as they are

  // Whether elements are the same bits on both sides.
  bool is_plain() const;
};

// Whether there is such a conversion at all: numbers into numbers, text into text.
bool can_convert(Type from, Type to);

// In host order; as many elements as there is room for. Errors: ARGUMENT for a value that the type cannot hold, naming
// `where`.
void convert(const Conversion& conversion, std::span<const std::byte> from, std::span<std::byte> to,
             const std::string& where);

// What becomes of missing values, in the type of the array.
std::vector<Element> converted_missing(const Conversion& conversion);

}  // namespace thalweg::read
