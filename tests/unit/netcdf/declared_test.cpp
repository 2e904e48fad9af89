#include "netcdf/declared.hpp"

#include <gmock/gmock.h>
#include <netcdf.h>

#include "error_of.hpp"
#include "thalweg_netcdf.h"

namespace thalweg::netcdf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Programs give the names of netcdf.h.
static_assert(THALWEG_NC_BYTE == NC_BYTE && THALWEG_NC_CHAR == NC_CHAR && THALWEG_NC_SHORT == NC_SHORT);
static_assert(THALWEG_NC_INT == NC_INT && THALWEG_NC_FLOAT == NC_FLOAT && THALWEG_NC_DOUBLE == NC_DOUBLE);
static_assert(THALWEG_NC_UBYTE == NC_UBYTE && THALWEG_NC_USHORT == NC_USHORT && THALWEG_NC_UINT == NC_UINT);
static_assert(THALWEG_NC_INT64 == NC_INT64 && THALWEG_NC_UINT64 == NC_UINT64);
static_assert(THALWEG_NC_UNLIMITED == NC_UNLIMITED && THALWEG_NC_GLOBAL == NC_GLOBAL && THALWEG_NC_EEXIST == NC_EEXIST);
static_assert(std::is_same_v<thalweg_nc_type, nc_type>);

Declared history() {
  Declared declared;
  const int x = declared.define_dimension("x", 7);
  const int y = declared.define_dimension("y", 5);
  const int time = declared.define_dimension("ocean_time", THALWEG_UNLIMITED);
  declared.define_variable("mask", Type::int8, {y, x});
  declared.define_variable("zeta", Type::float32, {time, y, x});
  declared.define_variable("ocean_time", Type::float64, {time});
  declared.give(1, catalog::text_attribute("units", "m"));
  declared.give(whole_file, catalog::text_attribute("title", "first"));
  return declared;
}

TEST(NetcdfDeclared, has_variables_by_number_with_the_record_dimension_apart) {
  const Declared declared = history();
  EXPECT_EQ(declared.find_variable("zeta"), 1);
  EXPECT_EQ(declared.find_dimension("y"), 1);
  EXPECT_TRUE(declared.variable(1).has_record);
  EXPECT_EQ(declared.shape(1), (Index{5, 7}));
  EXPECT_EQ(declared.shape(2), Index{});
  EXPECT_EQ(declared.names_of_dimensions(1), "ocean_time,y,x");
  EXPECT_EQ(declared.names_of_dimensions(0), "y,x");
}

TEST(NetcdfDeclared, refuses_what_no_file_has) {
  Declared declared = history();
  EXPECT_THAT(error_of(THALWEG_ERROR_NAME, [&] { declared.define_variable("a/b", Type::int8, {}); }),
              HasSubstr("variable 'a/b': names in netCDF files have no '/'"));
  EXPECT_THAT(error_of(THALWEG_ERROR_SHAPE, [&] { declared.define_dimension("tracer", THALWEG_UNLIMITED); }),
              HasSubstr("a second unlimited dimension, 'tracer' beside 'ocean_time'"));
  EXPECT_THAT(error_of(THALWEG_ERROR_NAME, [&] { declared.define_dimension("y", 4); }),
              HasSubstr("dimension 'y' is defined already"));
  EXPECT_THAT(error_of(THALWEG_ERROR_SHAPE, [&] { declared.define_dimension("z", 0); }),
              HasSubstr("dimension 'z' has 0 elements"));
  EXPECT_THAT(error_of(THALWEG_ERROR_SHAPE, [&] { declared.define_variable("late", Type::int8, {0, 2}); }),
              HasSubstr("its unlimited dimension 'ocean_time' has to be the slowest one"));
  EXPECT_THAT(error_of(THALWEG_ERROR_NAME, [&] { declared.define_variable("zeta", Type::int8, {}); }),
              HasSubstr("defined already"));
  EXPECT_THAT(error_of(THALWEG_ERROR_NAME, [&] { declared.define_variable("far", Type::int8, {3}); }),
              HasSubstr("no dimension with the number 3; 3 are defined"));
  EXPECT_THAT(
      error_of(THALWEG_ERROR_SHAPE, [&] { declared.define_variable("many", Type::int8, std::vector<int>(8, 0)); }),
      HasSubstr("variable 'many' has 8 dimensions"));
  EXPECT_THAT(error_of(THALWEG_ERROR_NAME, [&] { declared.find_variable("zetta"); }), HasSubstr("did you mean 'zeta'"));
  EXPECT_THAT(error_of(THALWEG_ERROR_NAME, [&] { declared.give(3, {}); }), HasSubstr("no variable with the number 3"));
  EXPECT_THAT(error_of(THALWEG_ERROR_SHAPE, [&] { declared.give(0, catalog::text_attribute("_FillValue", "-9")); }),
              HasSubstr("_FillValue = \"-9\" is no fill value; give one value of its type "));
}

TEST(NetcdfDeclared, says_which_attributes_changed_from_file_to_file) {
  const Declared before = history();
  Declared now = history();
  EXPECT_THAT(changes_between(before, now).value(), IsEmpty());
  now.give(whole_file, catalog::text_attribute("title", "second"));
  now.give(2, catalog::text_attribute("units", "days"));
  const std::vector<Change> changes = changes_between(before, now).value();
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].variable, "");
  EXPECT_EQ(changes[0].attribute.text, "second");
  EXPECT_EQ(changes[1].variable, "ocean_time");
}

TEST(NetcdfDeclared, tells_files_apart_that_cannot_follow_each_other) {
  const Declared before = history();
  EXPECT_FALSE(changes_between(before, Declared()).has_value());
  Declared more = history();
  more.define_variable("more", Type::int8, {});
  EXPECT_FALSE(changes_between(before, more).has_value());
  Declared filled = history();
  const Element one = element_of(1.0F);
  filled.give(1, catalog::attribute_of("_FillValue", Type::float32, std::span(one).first(4)));
  EXPECT_FALSE(changes_between(before, filled).has_value());
  EXPECT_FALSE(changes_between(filled, before).has_value());
  Declared deflated = history();
  deflated.set_deflate(1, {4, true});
  EXPECT_FALSE(changes_between(before, deflated).has_value());
  EXPECT_NE(before.description(), deflated.description());
}

}  // namespace
}  // namespace thalweg::netcdf
