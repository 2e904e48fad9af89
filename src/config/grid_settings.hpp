// What the configuration says of another grid on which a collection has its fields.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg::config {

// Degrees north and east.
struct GridPoint {
  std::string name{};  // of the place; empty: none
  double lon = 0.0;
  double lat = 0.0;
  friend bool operator==(const GridPoint&, const GridPoint&) = default;
};

// Points along a great circle, both ends among them.
struct GridSection {
  GridPoint from, to;
  std::int64_t points = 0;  // 0: there is none
  friend bool operator==(const GridSection&, const GridSection&) = default;
};

struct NamedSize {
  std::string name;
  std::int64_t size = 0;  // 0: as the file of weights says
  friend bool operator==(const NamedSize&, const NamedSize&) = default;
};

// One of its kinds.
struct GridSettings {
  std::string weights;            // a file of them
  std::vector<NamedSize> dims{};  // of the grid to which they lead, slowest first; none: as the file says
  std::vector<GridPoint> points{};
  GridSection section{};
  std::vector<std::string> mean{};  // dimensions over which means are taken
  std::string by{};                 // static field that weighs their cells; empty: all weigh the same

  bool is_none() const { return weights.empty() && mean.empty() && !is_of_points(); }
  bool is_of_points() const { return !points.empty() || section.points > 0; }
  friend bool operator==(const GridSettings&, const GridSettings&) = default;
};

}  // namespace thalweg::config
