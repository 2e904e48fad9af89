#include "fields/level_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace thalweg::fields {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

put::Field array_of(const std::vector<double>& values, const Index& extent) {
  return {reinterpret_cast<const std::byte*>(values.data()), Type::float64, extent,
          contiguous_strides(extent, static_cast<std::int64_t>(sizeof(double)))};
}

Levels levels_of(const std::vector<double>& values, bool in_log = false, bool nearest = false) {
  Levels made;
  made.values = values;
  made.is_in_log = in_log;
  made.takes_nearest = nearest;
  return made;
}

// Of one column.
std::vector<double> at_levels(const std::vector<double>& coordinate, const std::vector<double>& field,
                              const Levels& levels, bool is_single = false) {
  LevelPlaces places;
  places.find(Columns(array_of(coordinate, {std::ssize(coordinate)}), 0), levels, is_single);
  std::vector<double> results(levels.values.size());
  places.interpolate(Columns(array_of(field, {std::ssize(field)}), 0), {-9.0}, false, results);
  return results;
}

void expect_values(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_TRUE(std::isnan(wanted[i]) ? std::isnan(found[i]) : found[i] == wanted[i])
        << i << ": " << found[i] << ", not " << wanted[i];
}

TEST(LevelPlaces, lie_between_two_levels_of_a_column_that_rises_or_falls) {
  const std::vector<double> field{1.0, 2.0, 4.0, 8.0};
  expect_values(at_levels({0.0, 10.0, 20.0, 30.0}, field, levels_of({5.0, 17.5, 25.0})), {1.5, 3.5, 6.0});
  expect_values(at_levels({30.0, 20.0, 10.0, 0.0}, field, levels_of({25.0, 12.5, 5.0})), {1.5, 3.5, 6.0});
}

TEST(LevelPlaces, are_the_levels_of_the_model_where_these_are_wanted) {
  const std::vector<double> field{0.1, no_value, 0.3, no_value};
  expect_values(at_levels({0.1, 0.2, 0.3, 0.4}, field, levels_of({0.1, 0.3})), {0.1, 0.3});
  expect_values(at_levels({7.0}, {0.7}, levels_of({6.0, 7.0})), {no_value, 0.7});
}

TEST(LevelPlaces, are_levels_of_the_model_to_a_millionth_of_the_distance_to_the_next) {
  const std::vector<double> field{1.0, 2.0, 5.0};
  const double near = 9e-6, far = 1.1e-5;  // of levels that are 10 apart
  for (const double sign : {1.0, -1.0}) {
    const std::vector<double> coordinate{sign * 10.0, sign * 20.0, sign * 30.0};
    const auto at = [&](double level) { return at_levels(coordinate, field, levels_of({sign * level})).front(); };
    for (const double slack : {near, -near}) {
      EXPECT_EQ(at(10.0 + slack), 1.0);
      EXPECT_EQ(at(20.0 + slack), 2.0);
      EXPECT_EQ(at(30.0 + slack), 5.0);
    }
    EXPECT_TRUE(std::isnan(at(10.0 - far)) && std::isnan(at(30.0 + far)));
    EXPECT_GT(at(10.0 + far), 1.0);
    EXPECT_LT(at(30.0 - far), 5.0);
  }
  expect_values(at_levels({10.0, 30.0, 20.0}, field, levels_of({30.0 + near, 10.0 - near, 30.0 + 3e-5})),
                {2.0, 1.0, no_value});
  const double infinite = std::numeric_limits<double>::infinity();
  expect_values(at_levels({10.0, -infinite}, {1.0, 2.0}, levels_of({11.0})), {no_value});
}

TEST(LevelPlaces, are_levels_of_the_model_that_are_the_same_as_float32) {
  const std::vector<double> wanted{1000.1, 2000.3}, field{1.0, 2.0};
  const std::vector<double> stored{static_cast<float>(1000.1), static_cast<float>(2000.3)};
  expect_values(at_levels(stored, field, levels_of(wanted), true), field);
  EXPECT_NE(at_levels({stored[0], stored[0] + 1.0}, field, levels_of({wanted[0]})).front(), 1.0);
  expect_values(at_levels({stored[0]}, {7.0}, levels_of({wanted[0]}), true), {7.0});
}

TEST(LevelPlaces, are_linear_in_the_logarithm) {
  const double weight = (std::log(30.0) - std::log(100.0)) / (std::log(10.0) - std::log(100.0));
  const std::vector<double> found =
      at_levels({100.0, 10.0, 0.0, -5.0}, {3.0, 7.0, 9.0, 9.0}, levels_of({30.0, 5.0}, true));
  expect_values(found, {3.0 + weight * 4.0, no_value});
}

TEST(LevelPlaces, outside_of_a_column_are_missing_or_the_nearest_level) {
  const std::vector<double> field{1.0, 2.0, 3.0};
  expect_values(at_levels({30.0, 20.0, 10.0}, field, levels_of({31.0, 9.0})), {no_value, no_value});
  expect_values(at_levels({30.0, 20.0, 10.0}, field, levels_of({31.0, 9.0}, false, true)), {1.0, 3.0});
  expect_values(at_levels({10.0, no_value, 30.0}, field, levels_of({5.0, 20.0, 40.0}, false, true)),
                {1.0, no_value, 3.0});
  expect_values(at_levels({no_value, no_value, no_value}, field, levels_of({5.0}, false, true)), {no_value});
  expect_values(at_levels({30.0, 20.0, 10.0}, {1.0, 2.0, -9.0}, levels_of({9.0}, false, true)), {no_value});
}

TEST(LevelPlaces, are_the_first_ones_of_a_column_that_turns_or_stands_still) {
  const std::vector<double> field{1.0, 2.0, 3.0, 4.0, 5.0};
  expect_values(at_levels({0.0, 10.0, 5.0, 20.0, 20.0}, field, levels_of({7.5, 15.0, 20.0, 5.0})),
                {1.75, 3.0 + 10.0 / 15.0, 4.0, 1.5});
  expect_values(at_levels({4.0, 4.0, 4.0, 4.0, 4.0}, field, levels_of({4.0, 5.0}, true)), {1.0, no_value});
}

TEST(LevelPlaces, have_no_value_beside_one_that_is_missing) {
  expect_values(at_levels({1.0, 2.0, 3.0}, {5.0, -9.0, 6.0}, levels_of({1.0, 1.5, 2.0, 2.5, 3.0})),
                {5.0, no_value, no_value, no_value, 6.0});
}

// What a reader of the documents would compute.
double oracle(const std::vector<double>& of, const std::vector<double>& field, double level, const Levels& levels) {
  std::vector<std::size_t> there;
  for (std::size_t k = 0; k < of.size(); ++k)
    if (of[k] == of[k]) there.push_back(k);
  if (there.empty()) return no_value;
  const auto by_value = [&](std::size_t k) { return of[k]; };
  const std::size_t low = *std::ranges::min_element(there, {}, by_value);
  const std::size_t high = *std::ranges::max_element(there, {}, by_value);
  if (level < of[low]) return levels.takes_nearest ? field[low] : no_value;
  if (level > of[high]) return levels.takes_nearest ? field[high] : no_value;
  const auto place = [&](double value) { return levels.is_in_log ? std::log(value) : value; };
  for (std::size_t k = 0; k < of.size(); ++k) {
    if (of[k] == level) return field[k];
    if (k + 1 == of.size() || !(std::min(of[k], of[k + 1]) < level && level < std::max(of[k], of[k + 1]))) continue;
    const double part = (level - of[k]) / (of[k + 1] - of[k]);
    if (part <= 1e-6 || part >= 1.0 - 1e-6) return field[part <= 1e-6 ? k : k + 1];
    return field[k] + (place(level) - place(of[k])) / (place(of[k + 1]) - place(of[k])) * (field[k + 1] - field[k]);
  }
  return no_value;
}

// Columns lie along each dimension of the array in turn.
TEST(LevelPlaces, of_random_columns_are_those_of_each_by_itself) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> few(0, 9);
  std::normal_distribution<double> some(0.0, 60.0);
  for (int round = 0; round < 60; ++round) {
    const int along = round % 3;
    Index extent{1 + few(random) % 7, 5 + few(random), 40 + few(random)};
    std::swap(extent[along], extent[1]);
    const Index stride = contiguous_strides(extent, 1);
    std::vector<double> coordinate, field;
    for (std::int64_t cell = 0; cell < extent.product(); ++cell) {
      const double height = 100.0 * static_cast<double>(1 + cell / stride[along] % extent[along]);
      const int kind = few(random);
      coordinate.push_back(kind == 0   ? no_value
                           : kind == 1 ? 300.0
                                       : std::max(1.0, height + (kind < 4 ? some(random) : 0.0)));
      field.push_back(few(random) == 0 ? no_value : some(random));
    }
    const Levels levels = levels_of({40.0, 250.0, 300.0, 710.0, 3000.0}, round % 2 == 0, round % 5 == 0);
    LevelPlaces places;
    places.find(Columns(array_of(coordinate, extent), along), levels);
    Index made = extent;
    made[along] = std::ssize(levels.values);
    std::vector<double> results(static_cast<std::size_t>(made.product()));
    places.interpolate(Columns(array_of(field, extent), along), {}, false, results);
    const Index made_stride = contiguous_strides(made, 1);
    for (std::int64_t cell = 0; cell < made.product(); ++cell) {
      Index at;
      for (int d = 0; d < 3; ++d) at.push_back(cell / made_stride[d] % made[d]);
      const double level = levels.values[static_cast<std::size_t>(at[along])];
      std::vector<double> own_coordinate, own_field;
      for (at[along] = 0; at[along] < extent[along]; ++at[along]) {
        own_coordinate.push_back(coordinate[static_cast<std::size_t>(offset_of(at, stride))]);
        own_field.push_back(field[static_cast<std::size_t>(offset_of(at, stride))]);
      }
      const double wanted = oracle(own_coordinate, own_field, level, levels);
      const double found = results[static_cast<std::size_t>(cell)];
      ASSERT_TRUE(std::isnan(wanted) ? std::isnan(found) : found == wanted) << round << ": " << found << " " << wanted;
    }
  }
}

}  // namespace
}  // namespace thalweg::fields
