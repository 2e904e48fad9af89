#include "fields/nearest_cells.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "transport/collective.hpp"

namespace thalweg::fields {
namespace {

constexpr double degree = std::numbers::pi / 180.0;
constexpr std::int64_t nothing = std::numeric_limits<std::int64_t>::min();

using Direction = std::array<double, 3>;

Direction direction_of(const Place& place) {
  const double lat = place.lat * degree, lon = place.lon * degree;
  return {std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon), std::sin(lat)};
}

Place place_of(const Direction& at) {
  return {std::atan2(at[1], at[0]) / degree, std::atan2(at[2], std::hypot(at[0], at[1])) / degree};
}

double squared_chord(const Direction& a, const Direction& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

struct Candidate {
  double squared = std::numeric_limits<double>::infinity();
  std::int64_t number = -1;
  std::size_t cell = 0;
};

Candidate nearest_of(const Direction& point, const std::vector<Direction>& cells,
                     const std::vector<std::int64_t>& numbers) {
  Candidate best;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    if (numbers[cell] < 0) continue;
    const double squared = squared_chord(point, cells[cell]);  // NaN is nearer to nothing
    if (squared < best.squared || (squared == best.squared && numbers[cell] < best.number))
      best = {squared, numbers[cell], cell};
  }
  return best;
}

// Numbers of one sign are ordered as their bits are.
std::int64_t as_bits(double value) {
  return std::bit_cast<std::int64_t>(value);
}

}  // namespace

std::vector<config::GridPoint> points_of(const config::GridSettings& grid) {
  if (grid.section.points == 0) return grid.points;
  const Direction from = direction_of({grid.section.from.lon, grid.section.from.lat});
  const Direction to = direction_of({grid.section.to.lon, grid.section.to.lat});
  const double angle = 2.0 * std::asin(std::min(1.0, std::sqrt(squared_chord(from, to)) / 2.0));
  std::vector<config::GridPoint> points;
  for (std::int64_t p = 0; p < grid.section.points; ++p) {
    const double part = static_cast<double>(p) / static_cast<double>(grid.section.points - 1);
    Direction at = from;
    if (angle > 0.0)
      for (std::size_t i = 0; i < at.size(); ++i)
        at[i] = (std::sin((1.0 - part) * angle) * from[i] + std::sin(part * angle) * to[i]) / std::sin(angle);
    const Place place = place_of(at);
    points.push_back({.lon = place.lon, .lat = place.lat});
  }
  points.front() = grid.section.from;
  points.back() = grid.section.to;
  return points;
}

double distance_km(const Place& a, const Place& b) {
  constexpr double radius_km = 6371.0;
  return 2.0 * radius_km * std::asin(std::min(1.0, std::sqrt(squared_chord(direction_of(a), direction_of(b))) / 2.0));
}

std::vector<NearestCell> nearest_cells(const roles::Circle& circle, const std::vector<config::GridPoint>& points,
                                       const std::vector<Place>& places, const std::vector<std::int64_t>& numbers) {
  std::vector<Direction> cells;
  for (const Place& place : places) cells.push_back(direction_of(place));
  std::vector<Candidate> own;
  std::vector<std::int64_t> nearest, lowest, lon, lat;
  for (const config::GridPoint& point : points) {
    own.push_back(nearest_of(direction_of({point.lon, point.lat}), cells, numbers));
    nearest.push_back(-as_bits(own.back().squared));
  }
  transport::maximum(circle, nearest);
  for (std::size_t p = 0; p < own.size(); ++p)
    lowest.push_back(own[p].number >= 0 && -as_bits(own[p].squared) == nearest[p] ? -own[p].number : nothing);
  transport::maximum(circle, lowest);
  for (std::size_t p = 0; p < own.size(); ++p) {
    const bool has_it = own[p].number >= 0 && -own[p].number == lowest[p];
    lon.push_back(has_it ? as_bits(places[own[p].cell].lon) : nothing);
    lat.push_back(has_it ? as_bits(places[own[p].cell].lat) : nothing);
  }
  transport::maximum(circle, lon);
  transport::maximum(circle, lat);
  std::vector<NearestCell> found(points.size());
  for (std::size_t p = 0; p < found.size(); ++p)
    if (lowest[p] != nothing) found[p] = {-lowest[p], {std::bit_cast<double>(lon[p]), std::bit_cast<double>(lat[p])}};
  return found;
}

}  // namespace thalweg::fields
