// Which cells of a box were put, in the order of memory. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fields/columns.hpp"
#include "fields/sample.hpp"

namespace thalweg::fields {

// Not 0: it was. Empty: all were.
using CellsPut = std::vector<std::uint8_t>;

// Cells of which something else was not put are left out.
void leave_put(CellsPut& cells, const CellsPut& of_other);

// Of a box that has so many cells at wanted levels in place of the model's: a column was put where one of its cells
// was.
CellsPut put_at_levels(const CellsPut& of_model, const Columns& model, std::size_t cells);

// Calls use for those of the cells from `first` on that were put, a strip at a time. put: of the box.
void use_put(std::int64_t first, std::span<const double> values, const CellsPut& put, const Strips::Use& use);

// Numbers of a box, of those of its cells that were put.
class StripsOf : public Strips {
 public:
  // What is given outlives this.
  StripsOf(std::span<const double> values, const CellsPut& put) : values_(values), put_(put) {}

  void for_each_strip(const Use& use) const override { use_put(0, values_, put_, use); }

 private:
  std::span<const double> values_;
  const CellsPut& put_;
};

}  // namespace thalweg::fields
