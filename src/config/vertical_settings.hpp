// What the configuration says of the levels of a coordinate at which a collection has its fields.
#pragma once

#include <string>
#include <vector>

namespace thalweg::config {

// In what values are linear between two levels of the model.
enum class BetweenLevels { linear, log };
// What there is at levels above or below all those of a column.
enum class BeyondColumn { missing, nearest };

struct VerticalSettings {
  std::string coordinate;  // the name of a field, or its last part
  std::vector<double> to;  // its values; they ascend or descend. None: fields stay at the levels of the model
  BetweenLevels by = BetweenLevels::linear;
  BeyondColumn outside = BeyondColumn::missing;
  std::string units{};      // of these values; empty: those of the coordinate
  std::string name{};       // of the dimension and its variable in files; empty: the last part of the coordinate's
  std::string dimension{};  // of the fields, along which columns lie; empty: the one that no decomposition has

  bool is_none() const { return to.empty(); }
  friend bool operator==(const VerticalSettings&, const VerticalSettings&) = default;
};

}  // namespace thalweg::config
