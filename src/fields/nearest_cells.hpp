// The cells that lie nearest to points of the earth.
#pragma once

#include <cstdint>
#include <vector>

#include "config/grid_settings.hpp"
#include "roles/circle.hpp"

namespace thalweg::fields {

// In degrees.
struct Place {
  double lon = 0.0;
  double lat = 0.0;
};

// Those of a section are along the great circle between its ends, at equal distances. Pure.
std::vector<config::GridPoint> points_of(const config::GridSettings& grid);
// On a sphere. (source: R. W. Sinnott, Virtues of the Haversine, 1984) Pure.
double distance_km(const Place& a, const Place& b);

struct NearestCell {
  std::int64_t number = -1;  // none has a place
  Place place;
};

// places: of this rank's cells, NaN: none; numbers: of these in the whole, -1: of none. Of cells at one distance the
// one of the lowest number. Collective.
std::vector<NearestCell> nearest_cells(const roles::Circle& circle, const std::vector<config::GridPoint>& points,
                                       const std::vector<Place>& places, const std::vector<std::int64_t>& numbers);

}  // namespace thalweg::fields
