// Values of a vertical coordinate at which fields are wanted, or one value of all of a column in their place. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/vertical_settings.hpp"

namespace thalweg::fields {

struct Levels {
  int coordinate = -1;           // the number of the field; of a whole column the one that weighs cells, or -1
  std::string dimension;         // along which the columns of the model lie
  std::string name{};            // of the dimension that the levels are in files, and of its variable
  std::vector<double> values{};  // in the units of the coordinate
  std::vector<double> said{};    // the same as the configuration has them, in its units
  std::string units{};           // of these; empty: those of the coordinate
  bool is_in_log = false;        // fields are linear in the logarithm of the coordinate
  bool takes_nearest = false;    // a level outside of a column has what the nearest of the model's has
  std::optional<config::WholeColumn> whole{};

  friend bool operator==(const Levels&, const Levels&) = default;
};

}  // namespace thalweg::fields
