#include "config/vertical_values.hpp"

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/field_values.hpp"

namespace thalweg::config {
namespace {

using testing::HasSubstr;

std::string vertical_back(const std::string& yaml) {
  const auto values = vertical_or_none();
  return values.format(values.parse(parse_document(yaml)));
}

std::string vertical_refused(const std::string& yaml) {
  try {
    return vertical_back(yaml);
  } catch (const BadValue& fault) {
    return fault.what();
  }
}

TEST(Vertical, is_written_as_it_is_read) {
  for (const char* text : {"none", "{coordinate: p, to: [1000, 850.5, 50]}",
                           "{coordinate: air/p, to: [1, 10], units: 'hPa', by: log, outside: nearest, name: plev, "
                           "dimension: lev}"})
    EXPECT_EQ(vertical_back(text), text);
  EXPECT_EQ(vertical_back("{coordinate: p, to: 500, by: linear, outside: missing}"), "{coordinate: p, to: [500]}");
}

TEST(Vertical, needs_a_coordinate_and_levels_in_order) {
  EXPECT_THAT(vertical_refused("[500]"), HasSubstr("a map of a coordinate and its levels is wanted here"));
  EXPECT_THAT(vertical_refused("{to: [500]}"), HasSubstr("'coordinate' and 'to' are wanted here"));
  EXPECT_THAT(vertical_refused("{coordinate: p}"), HasSubstr("'coordinate' and 'to' are wanted here"));
  EXPECT_THAT(vertical_refused("{coordinate: p, to: []}"), HasSubstr("the list is empty"));
  EXPECT_THAT(vertical_refused("{coordinate: p, to: [500, high]}"), HasSubstr("'high' is no number"));
  EXPECT_THAT(vertical_refused("{coordinate: p, to: [1, 3, 2]}"), HasSubstr("1, 3, 2 neither ascend nor descend"));
  EXPECT_THAT(vertical_refused("{coordinate: p, to: [1, 1]}"), HasSubstr("neither ascend nor descend"));
}

TEST(Vertical, may_be_one_value_of_all_of_a_column) {
  for (const char* text : {"{mean: depth, by: ocean/thickness}", "{sum: depth}", "{max: lev}"})
    EXPECT_EQ(vertical_back(text), text);
  EXPECT_EQ(vertical_back("{by: h, mean: depth}"), "{mean: depth, by: h}");
  EXPECT_THAT(vertical_refused("{min: depth, by: h}"), HasSubstr("the min of a column has no weights; leave 'by' out"));
  EXPECT_THAT(vertical_refused("{mean: depth, sum: depth}"), HasSubstr("'mean' and 'sum' are two values of a column"));
  EXPECT_THAT(vertical_refused("{mean: depth, to: [1]}"), HasSubstr("'to' is of levels, and no part of one value"));
  EXPECT_THAT(vertical_refused("{mean: depth, bye: h}"),
              HasSubstr("unknown key 'bye' of 'vertical'; did you mean 'by'?"));
  EXPECT_THAT(vertical_refused("{mean: [depth]}"), HasSubstr("mean: one value is wanted here"));
}

TEST(Vertical, names_what_it_does_not_know) {
  EXPECT_THAT(vertical_refused("{coordinate: p, to: 1, outsid: missing}"),
              HasSubstr("unknown key 'outsid' of 'vertical'; did you mean 'outside'?"));
  EXPECT_THAT(vertical_refused("{coordinate: p, to: 1, by: cubic}"), HasSubstr("by: "));
  EXPECT_THAT(vertical_refused("{coordinate: p, to: [1, 0], by: log}"), HasSubstr("by: log is of levels above 0"));
  EXPECT_THAT(vertical_refused("{coordinate: [p], to: [1]}"), HasSubstr("coordinate: one value is wanted here"));
}

TEST(Vertical, has_a_name_that_a_dimension_can_have) {
  for (const char* name : {"c/d", "'a,b'", "' plev '", "''"})
    EXPECT_THAT(vertical_refused(fmt::format("{{coordinate: p, to: 1, name: {}}}", name)), HasSubstr("name: ")) << name;
}

// Of an entry, in a list of several.
TEST(Vertical, that_is_at_fault_in_an_entry_names_the_key_and_the_place) {
  const auto fault_of = [](const std::string& vertical) -> std::string {
    try {
      chosen_fields().parse(parse_document("[a,\n {from: b, vertical: " + vertical + "}]"));
    } catch (const BadValue& fault) {
      return fmt::format("{}: {}", fault.place.line, fault.what());
    }
    return "none";
  };
  EXPECT_EQ(fault_of("{coordinate: {a: b}, to: 1}"),
            "2: vertical: coordinate: one value is wanted here, this is a map of keys");
  EXPECT_EQ(fault_of("{coordinate: p, to: []}"), "2: vertical: to: the list is empty");
  EXPECT_EQ(fault_of("{coordinate: p, to: }"), "2: vertical: to: the value is missing");
  EXPECT_EQ(fault_of("{coordinate: p, to: [1, ~]}"),
            "2: vertical: to: '' is no number, as a value of the coordinate is");
  EXPECT_THAT(fault_of("{coordinate: p}"), HasSubstr("2: vertical: 'coordinate' and 'to' are wanted here"));
  EXPECT_THAT(fault_of("[1]"), HasSubstr("2: vertical: a map of a coordinate and its levels"));
}

}  // namespace
}  // namespace thalweg::config
