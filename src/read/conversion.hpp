// From the values of a file to those of the model: their type, what packing and missing values mean. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "catalog/packing.hpp"

namespace thalweg::read {

using catalog::Packing;

struct Conversion {
  Type from{};
  Type to{};
  Packing packing;
  // Of missing values; nothing: they are given as they are, and as NaN where the others are unpacked.
  std::optional<double> replacement;

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
