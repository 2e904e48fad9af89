// A box of a field as the model passes it, as numbers in the order of its memory, and which of them are values. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "put/field_view.hpp"

namespace thalweg::fields {

// How a put differs from a plain one.
struct PutTerms {
  std::optional<double> weight;    // of the sample; nothing: the length of the step
  std::optional<put::Field> mask;  // cells have a value where it is not zero, or at least 0.5 where it is real

  bool are_plain() const { return !weight && !mask; }
};

class Sample {
 public:
  // field outlives this; view: of the box in it, whose dimensions lie in memory as the rules say.
  Sample(const put::Field& field, const put::FieldView& view, const Index& count, const put::FieldRules& rules);

  std::int64_t cells() const { return extent_.product(); }
  // The box without halo, as an array of its own in the same order of dimensions.
  const Index& extent() const { return extent_; }

  // Calls use(first cell, values of some cells) for all cells from the first one on.
  using Use = std::function<void(std::int64_t, std::span<const double>)>;
  void for_each_strip(const Use& use) const;

  // Of the numbers of a mask: which cells have a value.
  std::vector<std::uint8_t> holding() const;

 private:
  const std::byte* begin_of(std::int64_t row) const;

  const std::byte* data_;  // of the first cell
  Type type_;
  Index extent_;  // slowest in memory first
  Index stride_;  // bytes
};

}  // namespace thalweg::fields
