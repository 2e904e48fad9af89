#include "config/grid_values.hpp"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/parse_value.hpp"

namespace thalweg::config {
namespace {

using testing::HasSubstr;

std::string grid_back(const std::string& yaml) {
  const auto values = grid_or_none();
  return values.format(values.parse(parse_document(yaml)));
}

std::string grid_refused(const std::string& yaml) {
  try {
    return grid_back(yaml);
  } catch (const BadValue& fault) {
    return fault.what();
  }
}

TEST(Grid, is_written_as_it_is_read) {
  for (const char* text :
       {"none", "{weights: 'w.nc'}", "{weights: 'w.nc', dims: [lat, lon]}",
        "{weights: 'w.nc', dims: {lat: 180, lon: 360}}", "{points: [{lon: -23, lat: 0}, {lon: 165, lat: 8.5}]}",
        "{points: [{name: 'a b', lon: -23, lat: 0}]}",
        "{section: {from: {lon: -70, lat: -55}, to: {lon: -60, lat: -64}, points: 40}}", "{mean: [lon]}",
        "{mean: [lat, lon], by: 'area'}"})
    EXPECT_EQ(grid_back(text), text);
  EXPECT_EQ(grid_back("{mean: lon}"), "{mean: [lon]}");
}

TEST(Grid, is_of_one_kind) {
  for (const char* text : {"[w.nc]", "{}", "{by: area}", "{weights: w.nc, mean: lon}", "{dims: [lat, lon]}"})
    EXPECT_THAT(grid_refused(text), HasSubstr("a map is wanted here with one of weights: FILE, points: ")) << text;
  EXPECT_THAT(grid_refused("{mean: lon, dims: [lat]}"), HasSubstr("'dims' are of the grid to which weights lead"));
  EXPECT_THAT(grid_refused("{weights: w.nc, by: area}"), HasSubstr("'by' is of the cells of a mean"));
}

TEST(Grid, names_what_it_does_not_know) {
  EXPECT_THAT(grid_refused("{weight: w.nc}"), HasSubstr("unknown key 'weight' of 'grid'; did you mean 'weights'?"));
  EXPECT_THAT(grid_refused("{points: [{lon: 1, lat: 2, nam: a}]}"), HasSubstr("did you mean 'name' or 'lat'?"));
  EXPECT_THAT(grid_refused("{section: {form: {lon: 1, lat: 2}}}"), HasSubstr("did you mean 'from'?"));
}

TEST(Grid, has_points_of_the_earth) {
  EXPECT_THAT(grid_refused("{points: []}"), HasSubstr("a list of points is wanted here"));
  EXPECT_THAT(grid_refused("{points: {lon: 1, lat: 2}}"), HasSubstr("a list of points is wanted here"));
  EXPECT_THAT(grid_refused("{points: [{lon: 1}]}"), HasSubstr("a point is wanted here, as in {lon: -23, lat: 0}"));
  EXPECT_THAT(grid_refused("{points: [{lon: 1, lat: 91}]}"), HasSubstr("lat: 91 is no latitude"));
  EXPECT_THAT(grid_refused("{points: [{lon: 1, lat: here}]}"), HasSubstr("'here' is no number"));
  EXPECT_THAT(grid_refused("{points: [{lon: 1, lat: 2}, {name: b, lon: 1, lat: 2}]}"), HasSubstr("name all of them"));
  EXPECT_THAT(grid_refused("{section: {from: {lon: 1, lat: 2}, points: 3}}"), HasSubstr("'from', 'to' and 'points'"));
  EXPECT_THAT(grid_refused("{section: {points: 1}}"), HasSubstr("must be at least 2"));
  EXPECT_THAT(grid_refused("{weights: w.nc, dims: {lat: 0}}"), HasSubstr("must be at least 1"));
  EXPECT_THAT(grid_refused("{weights: w.nc, dims: [a, b, c]}"), HasSubstr("one or two dimensions are wanted here"));
}

}  // namespace
}  // namespace thalweg::config
