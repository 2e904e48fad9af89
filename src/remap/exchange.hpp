// Values of cells of a source grid become those of a target grid, whoever holds the ones and makes the others: a
// transfer with weights. Each rank sends the others what their rows need of its cells.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "remap/rows.hpp"
#include "roles/circle.hpp"

namespace thalweg::remap {

class Exchange {
 public:
  // held: the numbers of the source's cells that this rank has, in the order of its values; -1: of none. Of a cell that
  // several have, the lowest rank's counts; one that nobody has is missing. Collective.
  Exchange(const roles::Circle& circle, const std::vector<std::int64_t>& held, Rows rows);

  std::int64_t cells() const { return rows_.cells(); }
  // values: of the held cells, for each layer one after the other; NaN: none. Returns the same of the cells of the
  // rows. Collective. Errors: DEADLINE.
  std::vector<double> remapped(std::span<const double> values, std::int64_t layers, const MissingRule& rule) const;

 private:
  using Cells = std::vector<std::size_t>;

  const roles::Circle& circle_;
  std::size_t held_;
  Rows rows_;
  std::map<int, Cells> wanted_;  // by others: places among those held
  std::map<int, Cells> coming_;  // from others: places among the sources of the rows
};

}  // namespace thalweg::remap
