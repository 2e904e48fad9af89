#include "fields/region.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/error.hpp"

namespace thalweg::fields {
namespace {

using config::PartOfDimension;
using testing::ElementsAre;
using testing::HasSubstr;

// Of x, whose coordinate has these values.
Region region_of(const PartOfDimension& part, const Axis& axis, bool is_optional = false,
                 const Region::Sizes& sizes = {}) {
  config::CollectionSettings collection;
  collection.name = "tropics";
  collection.fields.is_optional = is_optional;
  collection.fields.region = {{part}, "ocean.yaml:7:5"};
  const std::int64_t size = std::ssize(axis.values);
  return {collection, Region::said_of(collection), sizes.empty() ? Region::Sizes{{"x", {size}}, {"z", {5}}} : sizes,
          [&](const std::string& dimension, std::int64_t of) {
            EXPECT_EQ(dimension, "x");
            EXPECT_EQ(of, size);
            return axis;
          }};
}

Axis degrees(double first, double step, int count, bool is_longitude = true) {
  Axis axis{{}, false, is_longitude};
  for (int i = 0; i < count; ++i) axis.values.push_back(first + step * i);
  return axis;
}

std::vector<std::int64_t> selected(const PartOfDimension& part, const Axis& axis = degrees(0, 1, 10, false)) {
  const Region region = region_of(part, axis);
  const Region::Along* along = region.find("x");
  EXPECT_EQ(region.find("z"), nullptr);
  std::vector<std::int64_t> indices;
  for (std::int64_t place = 0; along != nullptr && place < along->selection.count(); ++place)
    indices.push_back(along->selection[place]);
  return indices;
}

std::string refused(const PartOfDimension& part, const Axis& axis = degrees(0, 1, 10, false),
                    const Region::Sizes& sizes = {}) {
  try {
    region_of(part, axis, false, sizes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_CONFIG);
    EXPECT_THAT(error.what(), HasSubstr("ocean.yaml:7:5: collection 'tropics': region '"));
    return error.what();
  }
  return "none";
}

PartOfDimension range(std::int64_t from, std::optional<std::int64_t> to, std::int64_t step = 1) {
  return {"x", config::IndexRange{from, to, step}};
}
PartOfDimension between(double from, double to) {
  return {"x", config::ValueRange{from, to}};
}
PartOfDimension nearest(std::vector<double> values) {
  return {"x", std::move(values)};
}

TEST(Region, has_both_ends_of_a_range_of_indices) {
  EXPECT_THAT(selected(range(2, 8, 3)), ElementsAre(2, 5, 8));
  EXPECT_THAT(selected(range(2, 7, 3)), ElementsAre(2, 5));
  EXPECT_THAT(selected(range(7, std::nullopt)), ElementsAre(7, 8, 9));
  EXPECT_THAT(selected({"x", config::IndexList{0, 3, 7}}), ElementsAre(0, 3, 7));
}

TEST(Region, is_refused_outside_of_the_dimension) {
  EXPECT_THAT(refused(range(2, 10)),
              HasSubstr("region 'x: {index: {from: 2, to: 10}}': there is no index 10; the dimension has 10 cells, 0 "
                        "to 9"));
  EXPECT_THAT(refused(range(12, std::nullopt)), HasSubstr("there is no index 12"));
  EXPECT_THAT(refused({"x", config::IndexList{0, 30}}), HasSubstr("there is no index 30"));
}

TEST(Region, of_a_dimension_that_there_is_not) {
  EXPECT_THAT(refused({"xx", config::IndexList{0}}), HasSubstr("no field of it has this dimension; did you mean 'x'"));
  EXPECT_THAT(refused(range(0, 1), degrees(0, 1, 4), {{"x", {4, 5}}}),
              HasSubstr("fields of it have this dimension with 4 and 5 cells"));
  const Region optional = region_of({"xx", config::IndexList{0}}, degrees(0, 1, 4), true);
  EXPECT_EQ(optional.find("xx"), nullptr);
  EXPECT_THAT(optional.absent(), ElementsAre("xx"));
}

TEST(Region, by_values_has_the_cells_within_both_ends) {
  EXPECT_THAT(selected(between(2.5, 6.0)), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(selected(between(5.0, 7.0), degrees(9, -1, 10, false)), ElementsAre(2, 3, 4));
  EXPECT_THAT(refused(between(9.5, 20.0)), HasSubstr("no cell has a value in it; the coordinate is 0 to 9"));
  EXPECT_THAT(refused(between(6.0, 2.0)), HasSubstr("end before they begin"));
}

TEST(Region, by_values_compares_as_the_coordinate_has_them) {
  Axis axis{{0.0, static_cast<double>(0.1F), static_cast<double>(0.2F)}, true, false};
  EXPECT_THAT(selected(between(0.05, 0.1), axis), ElementsAre(1));
  axis.is_single = false;
  EXPECT_EQ(axis.between(0.05, 0.1).cells.count(), 0) << "0.1 as float32 is a little more";
}

TEST(Region, by_longitudes_goes_over_the_ends_of_the_dimension) {
  const Axis east = degrees(0, 10, 36), around = degrees(-180, 10, 36), west = degrees(350, -10, 36);
  EXPECT_THAT(selected(between(340, 20), east), ElementsAre(34, 35, 0, 1, 2));
  EXPECT_THAT(selected(between(-20, 20), east), ElementsAre(34, 35, 0, 1, 2));
  EXPECT_THAT(selected(between(170, 190), around), ElementsAre(35, 0, 1));
  EXPECT_THAT(selected(between(-20, 20), around), ElementsAre(16, 17, 18, 19, 20));
  EXPECT_THAT(selected(between(340, 20), west), ElementsAre(33, 34, 35, 0, 1));
  EXPECT_EQ(selected(between(0, 360), east).size(), 36U);
  EXPECT_EQ(selected(between(-180, 180), east).size(), 36U);
  EXPECT_THAT(selected(nearest({-9.0, 183.0}), east), ElementsAre(18, 35));
}

TEST(Region, turns_longitudes_into_the_circle_that_begins_at_its_west) {
  using Degrees = std::vector<double>;
  const Axis east = degrees(0, 10, 36), around = degrees(-180, 10, 36), west = degrees(350, -10, 36);
  EXPECT_EQ(east.between(340, 20).turned, (Degrees{0, 0, 360, 360, 360}));
  EXPECT_EQ(east.between(-20, 20).turned, (Degrees{-360, -360, 0, 0, 0}));
  EXPECT_EQ(east.between(700, 740).turned, (Degrees{360, 360, 720, 720, 720}));
  EXPECT_EQ(around.between(170, 190).turned, (Degrees{0, 360, 360}));
  EXPECT_EQ(west.between(340, 20).turned, (Degrees{360, 360, 360, 0, 0})) << "they descend as those of the model";
  EXPECT_TRUE(east.between(-90, -30).turned.empty()) << "not over the ends";
  EXPECT_TRUE(east.between(-180, 180).turned.empty());
}

TEST(Region, turns_the_coordinate_and_its_bounds_alone) {
  const Region region = region_of(between(350, 10), degrees(0, 10, 36));
  const auto field = [](const std::string& name, const std::string& dims, const char* bounds = nullptr) {
    Field made{.name = name, .dims = dims, .memory_dims = {}, .is_static = true, .attributes = {}};
    if (bounds != nullptr) made.attributes = {catalog::text_attribute("bounds", bounds)};
    return made;
  };
  const std::vector<Field> all = {field("geo/x", "x", "x_bnds"), field("geo/x_bnds", "x,bnds"), field("area", "x"),
                                  field("z", "z")};
  EXPECT_NE(region.turned(all[0], all), nullptr);
  EXPECT_NE(region.turned(all[1], all), nullptr);
  EXPECT_EQ(region.turned(all[2], all), nullptr);
  EXPECT_EQ(region.turned(all[3], all), nullptr);
}

TEST(Region, calls_dimensions_otherwise_of_which_others_have_another_part) {
  Region region = region_of(range(2, 8), degrees(0, 1, 10, false));
  const PartOfDimension z{"z", config::IndexList{1}};
  region.set_apart({range(2, 8)}, {range(2, 8), z}, "_2", {{"x", {10}}, {"z", {5}}});
  EXPECT_EQ(region.name_of("x"), "x") << "the same part";
  EXPECT_EQ(region.name_of("z"), "z_2") << "all of it";
  ASSERT_NE(region.find("z"), nullptr);
  EXPECT_EQ(region.find("z")->selection, geometry::Selection::all(5));
  region.set_apart({range(2, 8)}, {range(2, 7)}, "_3", {{"x", {10}}});
  EXPECT_EQ(region.name_of("x"), "x_3");
}

TEST(Region, by_a_list_of_values_has_the_nearest_cells_in_their_order) {
  EXPECT_THAT(selected(nearest({7.2, 0.4, 3.0})), ElementsAre(0, 3, 7));
  EXPECT_THAT(selected(nearest({-0.5, 9.5})), ElementsAre(0, 9));
  EXPECT_THAT(refused(nearest({9.6})), HasSubstr("the value 9.6 is outside; the coordinate is 0 to 9"));
  EXPECT_THAT(refused(nearest({2.9, 3.2})), HasSubstr("the values 2.9 and 3.2 are nearest to the same cell, 3"));
  const Axis one{{5.0}, false, false};
  EXPECT_THAT(selected(nearest({5.0}), one), ElementsAre(0));
  EXPECT_THAT(refused(nearest({5.1}), one), HasSubstr("the value 5.1 is outside"));
}

}  // namespace
}  // namespace thalweg::fields
