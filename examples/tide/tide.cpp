// Puts a tide in every step; tide.yaml says what is written of it: snapshots, daily means and extremes, a spread.
//
//   mpiexec -n 4 tide_cpp tide.yaml
#include <cmath>
#include <vector>

#include "thalweg.hpp"

namespace {

constexpr std::int64_t ny = 12, nx = 8;
constexpr int hours = 72;

void run_model(thw::Session& io) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(io.model_comm(), &rank);
  MPI_Comm_size(io.model_comm(), &ranks);
  const std::int64_t first = ny * rank / ranks, count = ny * (rank + 1) / ranks - first;
  const thw::Decomposition rows = io.decompose("y,x", {ny, nx}, {first, 0}, {count, nx});

  thw::Field y = io.define_field("y", "y", thw::Type::float64, {}, "", thw::InTime::is_static);
  y.define_attribute("units", "km");
  y.define_attribute("long_name", "along the coast");
  thw::Field height = io.define_field("tide/height", "y,x", thw::Type::float32, rows);
  height.define_attribute("units", "m");
  height.define_attribute("long_name", "height of the surface");
  thw::Field current = io.define_field("tide/current", "y,x", thw::Type::float32, rows);
  current.define_attribute("units", "m s-1");
  current.define_attribute("long_name", "speed along the coast");

  std::vector<double> places;
  for (std::int64_t j = 0; j < ny; ++j) places.push_back(static_cast<double>(j));
  y.put(places);
  std::vector<double> heights(static_cast<std::size_t>(count * nx)), currents(heights.size());
  for (int hour = 1; hour <= hours; ++hour) {
    for (std::size_t cell = 0; cell < heights.size(); ++cell) {
      const double where = static_cast<double>(first) + static_cast<double>(cell / nx) + 0.1 * (cell % nx);
      const double phase = 2 * M_PI * hour / 12.42 - 0.3 * where;
      heights[cell] = std::cos(phase);
      currents[cell] = 0.5 * std::sin(phase);
    }
    height.put(heights, {count, nx});
    if (current.is_wanted()) current.put(currents, {count, nx});
    io.advance(hour * 3600.0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    thw::Session io(MPI_COMM_WORLD, argc > 1 ? argv[1] : "tide.yaml");
    if (io.is_client()) run_model(io);
    io.finish();
  }
  MPI_Finalize();
}
