#include "read/coordinate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "error_of.hpp"

using namespace thalweg;
using namespace thalweg::read;

namespace {

std::vector<double> evenly(double first, double step, int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(first + step * i);
  return values;
}

Coordinate of(std::vector<double> values, bool is_longitude = false, Type type = Type::float64) {
  return {is_longitude ? "lon" : "lat", type, std::move(values), is_longitude, "a.nc"};
}

TEST(Coordinate, finds_cells_by_both_ends) {
  const Coordinate ascending = of(evenly(-60, 10, 13)), descending = of(evenly(60, -10, 13));
  EXPECT_EQ(ascending.cells_between(-10, 20), (Cells{5, 4, 13}));
  EXPECT_EQ(descending.cells_between(-10, 20), (Cells{4, 4, 13}));
  EXPECT_EQ(descending.cells_between(20, -10), (Cells{4, 4, 13}));
  EXPECT_EQ(ascending.cells_between(-9.9, 19.9), (Cells{6, 2, 13}));
  EXPECT_EQ(ascending.cells_between({}, -45), (Cells{0, 2, 13}));
  EXPECT_EQ(descending.cells_between({}, -45), (Cells{11, 2, 13}));
  EXPECT_EQ(descending.cells_between(45, {}), (Cells{0, 2, 13}));
  EXPECT_EQ(of({5}).cells_between(0, 10), (Cells{0, 1, 1}));
}

TEST(Coordinate, finds_cells_by_value) {
  const Coordinate depth = of({5, 15, 30, 60}), height = of({60, 30, 15, 5});
  EXPECT_EQ(depth.cell_of(30), 2);
  EXPECT_EQ(height.cell_of(30), 1);
  EXPECT_EQ(depth.nearest_cell(44), 2);
  EXPECT_EQ(depth.nearest_cell(1e9), 3);
  EXPECT_EQ(depth.nearest_cell(-1e9), 0);
  EXPECT_EQ(depth.nearest_cell(10), 1);  // both are as near
  EXPECT_EQ(height.nearest_cell(10), 2);
}

TEST(Coordinate, compares_in_the_type_of_the_file) {
  std::vector<double> values;
  for (int i = 0; i < 10; ++i) values.push_back(static_cast<float>(0.1 * i));
  const Coordinate tenths = of(values, false, Type::float32);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(tenths.cell_of(0.1 * i), i);
  EXPECT_EQ(tenths.cells_between(0.1, 0.7), (Cells{1, 7, 10}));
  const Coordinate sums = of({0.1, 0.1 + 0.2, 0.5});
  EXPECT_EQ(sums.cell_of(0.3), 1);  // which is not the same in float64
  EXPECT_EQ(sums.cells_between(0.1, 0.3), (Cells{0, 2, 3}));
}

// Each cell of the globe whose longitude lies from low to high, from there to the east, by trying all.
std::vector<std::int64_t> tried(const std::vector<double>& values, double low, double high) {
  std::vector<std::pair<double, std::int64_t>> found;
  for (std::int64_t i = 0; i < std::ssize(values); ++i) {
    const double east = std::fmod(std::fmod(values[static_cast<std::size_t>(i)] - low, 360.0) + 360.0, 360.0);
    if (east <= std::fmod(high - low + 720.0, 360.0)) found.emplace_back(east, i);
  }
  std::ranges::sort(found);
  std::vector<std::int64_t> cells;
  for (const auto& [east, cell] : found) cells.push_back(cell);
  return cells;
}

TEST(Coordinate, counts_longitudes_around_the_globe) {
  std::vector<double> broken = evenly(0, 10, 19);  // to 180, then from -170
  for (const double value : evenly(-170, 10, 17)) broken.push_back(value);
  for (std::vector<double> values : {evenly(0, 10, 36), evenly(-175, 10, 36), evenly(20, 10, 36), broken})
    for (const bool descends : {false, true}) {
      if (descends) std::ranges::reverse(values);
      const Coordinate longitude = of(values, true);
      for (double low = -360; low <= 360; low += 15)
        for (double high = low + 20; high < low + 360; high += 35) {
          const Cells cells = longitude.cells_between(low, high);
          std::vector<std::int64_t> found;
          for (std::int64_t i = 0; i < cells.count; ++i) found.push_back((cells.start + i) % cells.around);
          if (descends) std::ranges::reverse(found);
          EXPECT_EQ(found, tried(values, low, high)) << low << " to " << high;
          EXPECT_EQ(longitude.cells_between(low, high - 360), cells);
        }
      for (double value = -400; value <= 400; value += 10)
        if (values[0] == std::round(values[0] / 10) * 10)
          EXPECT_EQ(std::remainder(values[static_cast<std::size_t>(longitude.cell_of(value))] - value, 360.0), 0.0);
    }
}

TEST(Coordinate, has_each_cell_of_the_globe_once) {
  EXPECT_EQ(of(evenly(0, 10, 36), true).cells_between(0, 360), (Cells{0, 36, 36}));
  EXPECT_EQ(of(evenly(0, 10, 36), true).cells_between(-180, 180), (Cells{18, 36, 36}));
  EXPECT_EQ(of(evenly(0, 10, 37), true).cells_between(0, 360), (Cells{0, 37, 37}));  // as the file has them
  EXPECT_EQ(of(evenly(0, 10, 37), true).cells_between(350, 370), (Cells{35, 3, 36}));
  EXPECT_EQ(of(evenly(0, 10, 37), true).cells_between(360, 370), (Cells{0, 2, 37}));
  EXPECT_EQ(of(evenly(0, 10, 37), true).cells_between(360, 720), (Cells{0, 37, 37}));
  EXPECT_EQ(of(evenly(0, 10, 36), true).cells_between({}, 30), (Cells{0, 4, 36}));
}

TEST(Coordinate, of_a_region_ends_where_it_does) {
  const Coordinate region = of(evenly(-60, 10, 10), true);  // to 30
  EXPECT_EQ(region.cells_between(310, 350), (Cells{1, 5, 10}));
  EXPECT_EQ(region.cells_between(-180, 180), (Cells{0, 10, 10}));
  EXPECT_EQ(region.cell_of(300), 0);
  EXPECT_THAT(error_of(THALWEG_ERROR_ARGUMENT, [&] { region.cells_between(20, 310); }),
              testing::HasSubstr("lie at both ends of the file"));
}

TEST(Coordinate, refuses_what_is_not_there) {
  const Coordinate depth = of({5, 15, 30});
  EXPECT_EQ(
      error_of(THALWEG_ERROR_NAME, [&] { depth.cell_of(20); }),
      "a.nc: no cell has lat = 20; the nearest: 15 (cell 1) and 30 (cell 2); write 'lat=~20' for the nearest one");
  EXPECT_THAT(error_of(THALWEG_ERROR_NAME, [&] { depth.cell_of(31); }), testing::HasSubstr("nearest: 30 (cell 2);"));
  EXPECT_EQ(error_of(THALWEG_ERROR_ARGUMENT, [&] { depth.cells_between(31, 99); }),
            "a.nc: no cell has lat from 31 to 99; the file has 3 cells from 5 to 30");
  EXPECT_NE(error_of(THALWEG_ERROR_ARGUMENT, [&] { depth.cells_between(16, 29); }), "no error");
  EXPECT_THAT(error_of(THALWEG_ERROR_ARGUMENT, [&] { of(evenly(0, 10, 36), true).cells_between(0, 361); }),
              testing::HasSubstr("more than once around the globe"));
  for (const std::vector<double>& values : {std::vector<double>{1, 2, 2},
                                            {3, 1, 2},
                                            {1, 2, std::nan("")},
                                            {std::nan("")},
                                            {1, 2, std::numeric_limits<double>::infinity()}})
    EXPECT_THAT(error_of(THALWEG_ERROR_FORMAT, [&] { of(values); }), testing::HasSubstr("neither ascend nor descend"));
}

}  // namespace
