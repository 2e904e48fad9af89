// Cells of a target grid as weighted sums of cells of a source: the rows of a sparse matrix. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg::remap {

// What a cell of the target has of one of the source. Both are counted row by row, from 0.
struct Entry {
  std::int64_t target = 0;
  std::int64_t source = 0;
  double weight = 0.0;
};

// Of cells some of whose sources have no value.
struct MissingRule {
  bool propagates = false;   // they have none either
  double least_valid = 0.0;  // part of the weights that those with a value have at least
};

// The rows of a stretch of the target's cells. Terms of a cell are added in the order of their sources, so that the
// sum has the same bits whoever makes it.
class Rows {
 public:
  Rows() = default;
  // Entries of other cells are left out, and so are weights of 0. Of a pair that comes twice weights are added up.
  // normalised: weights of each row are divided by their sum.
  Rows(std::int64_t first, std::int64_t cells, std::vector<Entry> entries, bool normalised = false);

  std::int64_t cells() const { return std::ssize(begins_) - 1; }
  // That are needed, ascending.
  const std::vector<std::int64_t>& sources() const { return sources_; }

  // values: of each source, NaN: none. results: of each cell; NaN: none. What others lack is made up for in
  // proportion: sum(w x) over those with a value, times sum(w) over all by sum(w) over those.
  void apply(std::span<const double> values, const MissingRule& rule, std::span<double> results) const;

 private:
  double result(std::size_t row, std::span<const double> values, const MissingRule& rule) const;

  std::vector<std::int64_t> sources_;
  std::vector<std::size_t> begins_{0};  // of each row in what follows, and the end
  std::vector<std::size_t> places_;     // among the sources
  std::vector<double> weights_;
};

}  // namespace thalweg::remap
