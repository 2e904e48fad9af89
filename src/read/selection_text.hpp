// What a text selects, dimension by dimension: "lon=-30:40, lat=20:70:2, z[0:5]". Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thalweg::read {

struct Choice {
  enum class By { cell, cells, value, nearest, range };

  std::string text;  // as it was given
  std::string name;  // of a dimension or of its coordinate
  By by = By::cells;
  // By index: the cell, or those from the first to one before the stop, which may be left out.
  std::int64_t first = 0;
  std::optional<std::int64_t> stop;
  // By coordinate: the value, or those of a range, which may be left out.
  std::optional<double> low, high;
  std::int64_t step = 1;

  bool is_by_index() const { return by == By::cell || by == By::cells; }
  bool is_one_cell() const { return by == By::cell || by == By::value || by == By::nearest; }
};

// where: begins the text of errors, which are all ARGUMENT.
std::vector<Choice> parse_selection(const std::string& text, const std::string& where);

}  // namespace thalweg::read
