#include "fields/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catalog/positions.hpp"

namespace thalweg::fields {
namespace {

constexpr double whole_circle = 360.0;

// From 0 on, below 360.
double eastward(double from, double to) {
  const double turned = std::fmod(to - from, whole_circle);
  return turned < 0.0 ? turned + whole_circle : turned;
}

bool has_text(const Field& field, const char* attribute, const char* text) {
  const catalog::Attribute* found = catalog::find(field.attributes, attribute);
  return found != nullptr && found->text == text;
}

// Where the order of the dimension goes over its ends, the cells behind come first. Whether it does.
bool put_in_order(std::vector<std::int64_t>& cells, const std::vector<double>& place, bool ascends) {
  const auto breaks = [&](std::int64_t a, std::int64_t b) {
    const double before = place[static_cast<std::size_t>(a)], behind = place[static_cast<std::size_t>(b)];
    return ascends ? behind < before : behind > before;
  };
  const auto at = std::ranges::adjacent_find(cells, breaks);
  if (at == cells.end()) return false;
  std::ranges::rotate(cells, at + 1);
  return true;
}

}  // namespace

bool is_longitude(const Field& field) {
  return catalog::has_units_of_longitude(field.attributes) ||
         (has_text(field, "standard_name", "longitude") && has_text(field, "units", "degrees"));
}

bool is_latitude(const Field& field) {
  return catalog::has_units_of_latitude(field.attributes) ||
         (has_text(field, "standard_name", "latitude") && has_text(field, "units", "degrees"));
}

double Axis::distance(double a, double b) const {
  return is_longitude ? std::min(eastward(a, b), eastward(b, a)) : std::abs(a - b);
}

Axis::Part Axis::between(double from, double to) const {
  const double west = compared(from), east = compared(to);
  const double length = east - west >= whole_circle ? whole_circle : eastward(west, east);
  std::vector<std::int64_t> cells;
  std::vector<double> places;
  for (std::int64_t i = 0; i < std::ssize(values); ++i) {
    const double value = values[static_cast<std::size_t>(i)];
    places.push_back(is_longitude ? eastward(west, value) : value);
    if (is_longitude ? places.back() <= length : west <= value && value <= east) cells.push_back(i);
  }
  Part part;
  if (is_longitude && length < whole_circle && put_in_order(cells, places, values.size() < 2 || values[0] < values[1]))
    for (const std::int64_t cell : cells) {
      const auto at = static_cast<std::size_t>(cell);
      part.turned.push_back(whole_circle * std::round((west + places[at] - values[at]) / whole_circle));
    }
  part.cells = geometry::Selection::of(cells);
  return part;
}

std::optional<std::int64_t> Axis::nearest(double value) const {
  if (values.empty()) return std::nullopt;
  const auto from = [&](double other) { return distance(compared(value), other); };
  const auto found = std::ranges::min_element(values, {}, from);
  const auto cell = found - values.begin();
  double half = 0.0;
  for (const auto beside : {cell - 1, cell + 1})
    if (beside >= 0 && beside < std::ssize(values))
      half = std::max(half, distance(*found, values[static_cast<std::size_t>(beside)]) / 2.0);
  constexpr double rounding = 1e-9;
  if (!(from(*found) <= half * (1.0 + rounding))) return std::nullopt;
  return cell;
}

std::string Axis::range() const {
  if (values.empty()) return "nothing";
  const auto [least, most] = std::ranges::minmax(values);
  return fmt::format("{} to {}", least, most);
}

}  // namespace thalweg::fields
