#include "fields/units_of_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "fields/accumulator.hpp"
#include "fields/changed_cells.hpp"
#include "fields/numbers.hpp"
#include "fields/units.hpp"

namespace thalweg::fields {
namespace {

using config::Operation;
using testing::HasSubstr;

catalog::Attribute number(const char* name, double value) {
  return catalog::attribute_of(name, Type::float64, std::as_bytes(std::span(&value, 1)));
}

Field in_units(const std::string& units, std::vector<catalog::Attribute> more = {}) {
  Field made;
  made.name = "ocean/temp";
  made.attributes = std::move(more);
  if (!units.empty()) made.attributes.push_back(catalog::text_attribute("units", units));
  return made;
}

std::string refused(const Field& field, const std::string& wanted, Operation operation = Operation::mean) {
  try {
    units_of(field, wanted, operation);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), THALWEG_ERROR_CONFIG);
    return error.what();
  }
  return "none";
}

double value_of(const std::vector<catalog::Attribute>& all, const char* name) {
  const catalog::Attribute* found = catalog::find(all, name);
  return found == nullptr ? std::nan("") : numbers_of(*found).at(0);
}

TEST(Units, convert_by_the_scale_and_offset_of_udunits) {
  EXPECT_EQ(conversion("K", "degC"), (Linear{1.0, -273.15}));
  EXPECT_EQ(conversion("Pa", " hPa "), (Linear{0.01, 0.0}));
  EXPECT_EQ(conversion("1", "%"), (Linear{100.0, 0.0}));
  EXPECT_EQ(conversion("degC", "Celsius"), Linear{});
  EXPECT_DOUBLE_EQ(conversion("degF", "degC").of(212.0), 100.0);
  EXPECT_EQ(conversion("m", "-1 m").scale, -1.0);
}

TEST(Units, say_what_they_cannot_be) {
  EXPECT_THAT(refused(in_units("K"), "m"),
              HasSubstr("field 'ocean/temp' has the units 'K', which are not converted to 'm': they do not measure"));
  EXPECT_THAT(refused(in_units("psu"), "1"), HasSubstr("'psu' is no unit that udunits2 knows"));
  EXPECT_THAT(refused(in_units("1"), "lg(re 1)"), HasSubstr("no scale and offset make the one of the other"));
  EXPECT_THAT(refused(in_units(""), "m"), HasSubstr("has no units, which could be converted to 'm'"));
  EXPECT_THAT(refused(in_units("m", {catalog::text_attribute("bounds", "z_bnds")}), "km"), HasSubstr("'z_bnds'"));
  EXPECT_THAT(refused(in_units("m"), "km", Operation::count), HasSubstr("its count has no units"));
  EXPECT_THAT(refused(in_units("m", {catalog::text_attribute("scale_factor", "0.1")}), "km"),
              HasSubstr("field 'ocean/temp' is not converted to 'km': its scale_factor is a text or several numbers"));
  catalog::Attribute several = number("add_offset", 1.0);
  several.values.resize(2 * several.values.size());
  EXPECT_THAT(refused(in_units("m", {several}), "km"), HasSubstr("its add_offset is a text or several numbers"));
  EXPECT_THAT(refused(in_units("m", {number("scale_factor", 0.0)}), "km"), HasSubstr("its scale_factor is 0"));
}

TEST(Units, are_those_of_what_an_operation_makes) {
  const Field field = in_units("K");
  const auto change = [&](Operation operation) { return units_of(field, "degC", operation).change; };
  for (const Operation operation : {Operation::mean, Operation::min, Operation::max, Operation::instant})
    EXPECT_EQ(change(operation), (Linear{1.0, -273.15}));
  EXPECT_TRUE(change(Operation::std).is_none());
  EXPECT_TRUE(change(Operation::difference).is_none());
  for (const Operation operation : {Operation::sum, Operation::rms})
    EXPECT_THAT(refused(field, "degC", operation), HasSubstr("these units have another zero"));
  const Field depth = in_units("m");
  EXPECT_EQ(units_of(depth, "km", Operation::sum).change, (Linear{0.001, 0.0}));
  EXPECT_EQ(units_of(depth, "-1 m", Operation::std).change.scale, 1.0);
  EXPECT_EQ(units_of(depth, "-1 m", Operation::mean).change.scale, -1.0);
  EXPECT_THAT(refused(depth, "-1 m", Operation::max), HasSubstr("the least value is the greatest there"));
}

TEST(Units, of_the_same_text_change_nothing) {
  const OtherUnits same = units_of(in_units("no unit at all"), "no unit at all", Operation::count);
  EXPECT_TRUE(same.text.empty());
  EXPECT_TRUE(same.change.is_none());
}

TEST(Units, change_the_numbers_of_attributes) {
  Field field = in_units("m", {number("valid_min", -10.0), number("valid_max", 20.0), number("_FillValue", 1e20)});
  std::vector<catalog::Attribute> all = field.attributes;
  convert(all, units_of(field, "-1 cm", Operation::mean));
  EXPECT_EQ(value_of(all, "valid_min"), -2000.0);
  EXPECT_EQ(value_of(all, "valid_max"), 1000.0);
  EXPECT_EQ(value_of(all, "_FillValue"), 1e20) << "it stays";
  EXPECT_EQ(catalog::find(all, "units")->text, "-1 cm");
}

TEST(Units, change_by_what_values_are_packed) {
  Field field = in_units("K", {number("scale_factor", 0.5), number("add_offset", 273.15), number("valid_min", -500.0)});
  field.type = Type::int16;
  const OtherUnits units = units_of(field, "degF", Operation::max);
  EXPECT_TRUE(units.of_values().is_none());
  std::vector<catalog::Attribute> all = field.attributes;
  convert(all, units);
  EXPECT_NEAR(value_of(all, "scale_factor"), 0.9, 1e-15);
  EXPECT_NEAR(value_of(all, "add_offset"), 32.0, 1e-12);
  EXPECT_EQ(value_of(all, "valid_min"), -500.0) << "it is packed, too";
}

TEST(Units, leave_what_stands_for_none) {
  Field field = in_units("K", {number("missing_value", 0.0)});
  const Chosen chosen{.units = units_of(field, "degC", Operation::instant)};
  const ChangedCells changed(chosen, field, {});
  ASSERT_TRUE(changed.are_any());
  const Sample sample{put::Field{}};
  const auto written = [&](double value, bool is_joined = false) {
    const PutSample put{
        .sample = sample, .holding = {}, .part = nullptr, .is_single = false, .weight = {}, .is_joined = is_joined};
    double stored = 0.0;
    EXPECT_TRUE(changed.store(Type::float64, reinterpret_cast<std::byte*>(&stored), 0, value, put));
    return stored;
  };
  EXPECT_EQ(written(274.15), 274.15 - 273.15);
  EXPECT_EQ(written(0.0), 0.0);
  EXPECT_EQ(written(0.0, true), -273.15) << "a sum of several puts is a value";
  EXPECT_EQ(written(273.15), std::nextafter(0.0, 1.0)) << "it has a value";
  EXPECT_FALSE(ChangedCells(Chosen{}, field, {}).are_any());
}

TEST(Numbers, that_are_computed_do_not_become_one_that_stands_for_none) {
  const auto stored = [](Type type, double value, const std::vector<double>& none) {
    Element to{};
    EXPECT_TRUE(store_result(type, to.data(), value, none));
    double number = 0.0;
    load_numbers(type, to.data(), 8, &number, 1);
    return number;
  };
  EXPECT_EQ(stored(Type::float64, 3.0, {-999.0, 1e20}), 3.0);
  EXPECT_EQ(stored(Type::float64, -999.0, {-999.0, 1e20}), std::nextafter(-999.0, 0.0));
  EXPECT_EQ(stored(Type::float64, 5.0, {5.0, std::nextafter(5.0, 0.0)}), std::nextafter(std::nextafter(5.0, 0.0), 0.0));
  EXPECT_EQ(stored(Type::float32, 1e20, {1e20}), static_cast<double>(std::nextafter(1e20F, 0.0F)));
  EXPECT_EQ(stored(Type::float32, -999.9000000001, {-999.9}), static_cast<double>(std::nextafter(-999.9F, 0.0F)));
  EXPECT_TRUE(std::isnan(stored(Type::float64, std::nan(""), {std::nan("")})));
  EXPECT_EQ(stored(Type::int32, 0.0, {0.0}), 0.0) << "whole numbers have none beside them";
}

TEST(Units, are_those_of_results_and_not_of_what_is_gathered) {
  Accumulator gathered(Operation::mean, {.values = {-1.0}}, 2);
  const std::vector<double> sample = {10.0, -1.0};
  gathered.add({}, 0, sample);
  gathered.end_sample(1.0);
  const std::vector<std::byte> results = gathered.results(Type::float64, element_of(-1.0), 0.0, {100.0, 5.0});
  std::vector<double> values(2);
  load_numbers(Type::float64, results.data(), sizeof(double), values.data(), 2);
  EXPECT_EQ(values, (std::vector<double>{1005.0, -1.0}));
  const std::vector<std::byte> apart = gathered.results(Type::float64, element_of(-1.0), 0.0, {100.0, -1001.0}, {-1.0});
  load_numbers(Type::float64, apart.data(), sizeof(double), values.data(), 2);
  EXPECT_EQ(values, (std::vector<double>{std::nextafter(-1.0, 0.0), -1.0}));
}

}  // namespace
}  // namespace thalweg::fields
