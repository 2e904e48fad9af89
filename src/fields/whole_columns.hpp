// One value of all of each column of a field: a mean or a sum of its cells, each with a weight, or an extreme. Pure.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "config/vertical_settings.hpp"
#include "fields/columns.hpp"

namespace thalweg::fields {

// Of a column, from its first level on, in float64: sum(w x), or sum(w x) / sum(w), over cells that have a value and a
// weight above 0; without weights each has 1. NaN: no cell has. weights: of as many columns. missing: numbers of the
// field that stand for none, beside NaN; is_single: they are compared as float32 has them. results: of each column.
void make_of_columns(config::WholeColumn whole, const Columns& field, const std::vector<double>& missing,
                     bool is_single, const std::optional<Columns>& weights, std::span<double> results);

}  // namespace thalweg::fields
