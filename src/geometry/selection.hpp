// What is taken of dimensions: their indices in the order of the result, and what of it lies in a box or in an index
// list. Pure index arithmetic.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "geometry/plan.hpp"

namespace thalweg::geometry {

// first, first + step, …; step: at least 1.
struct Progression {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
  friend bool operator==(const Progression&, const Progression&) = default;
};

class Selection {
 public:
  Selection() = default;  // of nothing
  // One after the other.
  explicit Selection(std::vector<Progression> progressions);
  static Selection all(std::int64_t size) { return Selection({{0, 1, size}}); }
  // In as few progressions as follow from the order.
  static Selection of(std::span<const std::int64_t> indices);

  std::int64_t count() const { return count_; }
  bool is_empty() const { return count_ == 0; }
  std::int64_t operator[](std::int64_t place) const;
  // At which an index stands; nothing: it is not taken.
  std::optional<std::int64_t> place_of(std::int64_t index) const;
  const std::vector<Progression>& progressions() const { return progressions_; }

  friend bool operator==(const Selection&, const Selection&) = default;

 private:
  std::vector<Progression> progressions_;
  std::int64_t count_ = 0;
};

// Of a selection, what follows each other in the result and lies in a stretch of the dimension: from which place on,
// and the indices, counted from the stretch's first.
struct SelectedPart {
  std::int64_t place = 0;
  Selection within;
};
std::vector<SelectedPart> parts_within(const Selection& selection, std::int64_t start, std::int64_t count);

// What is taken of a box: which box of the result it is, and which cells along each dimension, counted from the box's
// first.
struct SelectedBox {
  Box box;
  std::vector<Selection> within;
};
// Several where indices of the box do not follow each other in the result. One selection a dimension.
std::vector<SelectedBox> selected_of(const Box& box, std::span<const Selection> selections);

// The points that are taken of a list in a space of these sizes. Local arrays stay as they are.
IndexList selected_of(const IndexList& list, const Index& sizes, std::span<const Selection> selections);

// What a rank holds of what is taken: without a halo, and box by box as selected_of gives them. names: of the
// dimensions of the result.
Decomposition selected_of(const Decomposition& of, std::span<const Selection> selections,
                          const std::vector<std::string>& names);

}  // namespace thalweg::geometry
