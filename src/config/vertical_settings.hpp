// What the configuration says of the columns of fields: at which levels of a coordinate a collection has them, or what
// it has of all of a column.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg::config {

// In what values are linear between two levels of the model.
enum class BetweenLevels { linear, log };
// What there is at levels above or below all those of a column.
enum class BeyondColumn { missing, nearest };

// One value of all of a column, by the order of their names.
enum class WholeColumn { mean, sum, min, max };
inline constexpr std::array<std::string_view, 4> names_of_whole_columns = {"mean", "sum", "min", "max"};
constexpr std::string_view name_of(WholeColumn of) {
  return names_of_whole_columns[static_cast<std::size_t>(of)];
}

struct VerticalSettings {
  std::string coordinate;  // the name of a field, or its last part
  std::vector<double> to;  // its values; they ascend or descend. None: fields stay at the levels of the model
  BetweenLevels by = BetweenLevels::linear;
  BeyondColumn outside = BeyondColumn::missing;
  std::string units{};      // of these values; empty: those of the coordinate
  std::string name{};       // of the dimension and its variable in files; empty: the last part of the coordinate's
  std::string dimension{};  // of the fields, along which columns lie; empty: the one that no decomposition has
  std::optional<WholeColumn> whole{};  // in place of levels
  std::string weights{};               // the name of a field that weighs the cells of a column; empty: all weigh 1

  // The coordinate, or what weighs cells; empty: there is none.
  const std::string& other_field() const { return whole ? weights : coordinate; }
  bool is_none() const { return to.empty() && !whole; }
  friend bool operator==(const VerticalSettings&, const VerticalSettings&) = default;
};

}  // namespace thalweg::config
