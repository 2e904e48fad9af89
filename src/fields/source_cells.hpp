// The cells of a decomposition that a rank holds, by their numbers in the whole, counted row by row; and where their
// values are in the boxes of a field that lies on it. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "fields/dimensions_of_fields.hpp"
#include "geometry/plan.hpp"

namespace thalweg::fields {

// Box by box, row-major; -1: a point of a list that is not written.
std::vector<std::int64_t> numbers_of_cells(const geometry::Decomposition& decomposition);

// How a box of a field lies: dimensions of the decomposition, slowest first, and all others, which are layers.
class LayersOfBox {
 public:
  // leading: layers before those of the field, which lie before all others in memory, too.
  LayersOfBox(const Box& box, const put::FieldRules& rules, std::int64_t leading = 1);

  std::int64_t cells() const { return cells_.product(); }
  std::int64_t layers() const { return layers_.product(); }
  // values: of the box, in the order of memory. Appends the cells of a layer.
  void append_layer(const std::vector<double>& values, std::int64_t layer, std::vector<double>& to) const;

 private:
  Index cells_, strides_of_cells_;
  Index layers_, strides_of_layers_;
};

}  // namespace thalweg::fields
