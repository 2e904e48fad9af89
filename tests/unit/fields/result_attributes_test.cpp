#include "fields/result_attributes.hpp"

#include <gtest/gtest.h>

namespace thalweg::fields {
namespace {

using config::Operation;

Field temperature() {
  Field made;
  made.name = "ocean/temp";
  const double most = 40.0;
  made.attributes = {catalog::text_attribute("units", "degC"),
                     catalog::text_attribute("standard_name", "sea_water_temperature"),
                     catalog::text_attribute("long_name", "temperature"),
                     catalog::text_attribute("units_metadata", "temperature: on_scale"),
                     catalog::text_attribute("coordinates", "lat  lon"),
                     catalog::text_attribute("grid_mapping", "crs: lat lon"),
                     catalog::text_attribute("cell_measures", "area: area"),
                     catalog::text_attribute("cell_methods", "area: mean"),
                     catalog::attribute_of("valid_max", Type::float64, std::as_bytes(std::span(&most, 1)))};
  return made;
}

Chosen chosen(Operation operation, int day_parts = 0) {
  return {.field = 0, .operation = operation, .variable = "temp", .type = {}, .day_parts = day_parts};
}

std::string said(const std::vector<catalog::Attribute>& all, const char* name) {
  const catalog::Attribute* found = catalog::find(all, name);
  return found == nullptr ? "nothing" : found->type ? "numbers" : found->text;
}

std::string said(Operation operation, const char* name) {
  return said(attributes_of(chosen(operation), temperature(), {}, false), name);
}

TEST(ResultAttributes, are_those_that_hold_for_it) {
  EXPECT_EQ(said(Operation::max, "valid_max"), "numbers");
  EXPECT_EQ(said(Operation::rms, "valid_max"), "nothing");
  EXPECT_EQ(said(Operation::mean, "standard_name"), "sea_water_temperature");
  EXPECT_EQ(said(Operation::mean, "cell_methods"), "nothing") << "it is made";
  EXPECT_EQ(said(Operation::count, "units"), "1");
  EXPECT_EQ(said(Operation::difference, "standard_name"), "nothing");
  EXPECT_EQ(said(Operation::difference, "long_name"), "change of temperature");
  EXPECT_EQ(said(Operation::difference, "units_metadata"), "temperature: difference");
  EXPECT_EQ(said(Operation::std, "units_metadata"), "temperature: difference");
  EXPECT_EQ(said(Operation::max, "units_metadata"), "temperature: on_scale");
}

TEST(ResultAttributes, name_variables_as_the_file_does) {
  const auto all = attributes_of(chosen(Operation::mean), temperature(),
                                 {{"lat", "lat_2"}, {"area", "area_2"}, {"crs", "crs_2"}}, false);
  EXPECT_EQ(said(all, "coordinates"), "lat_2 lon");
  EXPECT_EQ(said(all, "grid_mapping"), "crs_2: lat_2 lon");
  EXPECT_EQ(said(all, "cell_measures"), "area: area_2") << "the measure is none";
  EXPECT_EQ(said(Operation::mean, "coordinates"), "lat  lon") << "as the program says it";
}

TEST(ResultAttributes, have_no_range_of_longitudes_that_are_turned) {
  EXPECT_EQ(said(attributes_of(chosen(Operation::once), temperature(), {}, true), "valid_max"), "nothing");
  EXPECT_EQ(said(attributes_of(chosen(Operation::once), temperature(), {}, false), "valid_max"), "numbers");
}

TEST(ResultAttributes, say_of_which_time_parts_of_the_day_are) {
  EXPECT_EQ(said(attributes_of(chosen(Operation::diurnal, 8), temperature(), {}, false), "coordinates"),
            "lat  lon climatology_8");
  EXPECT_EQ(said(attributes_of(chosen(Operation::diurnal, 8), Field(), {}, false), "coordinates"), "climatology_8");
}

TEST(ResultAttributes, have_the_methods_of_the_field_and_of_time) {
  EXPECT_EQ(cell_methods_of(chosen(Operation::mean), temperature(), "t", 3600.0),
            "area: mean t: mean (interval: 1 hour)");
  EXPECT_EQ(cell_methods_of(chosen(Operation::mean), Field(), "t", 0.0), "t: mean");
  EXPECT_EQ(cell_methods_of(chosen(Operation::diurnal, 8), Field(), "t", 3600.0),
            "t: mean within days t: mean over days");
  EXPECT_EQ(cell_methods_of(chosen(Operation::difference), temperature(), "t", 3600.0), "area: mean");
  EXPECT_EQ(cell_methods_of(chosen(Operation::once), temperature(), "t", 3600.0), "");
}

}  // namespace
}  // namespace thalweg::fields
