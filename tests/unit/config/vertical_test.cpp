#include "config/vertical_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(Vertical, names_what_it_does_not_know) {
  EXPECT_THAT(vertical_refused("{coordinate: p, to: 1, outsid: missing}"),
              HasSubstr("unknown key 'outsid' of 'vertical'; did you mean 'outside'?"));
  EXPECT_THAT(vertical_refused("{coordinate: p, to: 1, by: cubic}"), HasSubstr("by: "));
  EXPECT_THAT(vertical_refused("{coordinate: p, to: [1, 0], by: log}"), HasSubstr("by: log is of levels above 0"));
  EXPECT_THAT(vertical_refused("{coordinate: [p], to: [1]}"), HasSubstr("'coordinate' needs a text"));
}

}  // namespace
}  // namespace thalweg::config
