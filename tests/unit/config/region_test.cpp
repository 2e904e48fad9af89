#include "config/region_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg::config {
namespace {

using testing::HasSubstr;

std::string region_back(const std::string& yaml) {
  const auto values = region_or_none();
  return values.format(values.parse(parse_document(yaml)));
}

std::string region_refused(const std::string& yaml) {
  try {
    return region_back(yaml);
  } catch (const BadValue& fault) {
    return fault.what();
  }
}

TEST(RegionValues, are_read_and_shown) {
  for (const char* text :
       {"none", "{x: {index: {from: 10, to: 50}}}", "{x: {index: {from: 0, to: 9, step: 3}}, z: {index: [0, 3, 7]}}",
        "{lat: {values: {from: -20.5, to: 20}}, lev: {values: [1000, 850]}}", "{y: {index: {from: 4}}}"})
    EXPECT_EQ(region_back(text), text);
  EXPECT_EQ(region_back("{x: {index: 3}, lon: {values: 7.5}}"), "{x: {index: [3]}, lon: {values: [7.5]}}");
  EXPECT_EQ(region_back("{x: {index: {step: 2}}}"), "{x: {index: {from: 0, step: 2}}}");
}

TEST(RegionValues, say_whether_they_are_indices) {
  const std::string which = "'x' needs 'index' (counted from 0) or 'values' (of its coordinate), one of them";
  EXPECT_THAT(region_refused("{x: [0, 3]}"), HasSubstr(which));
  EXPECT_THAT(region_refused("{x: {from: 1, to: 2}}"), HasSubstr(which));
  EXPECT_THAT(region_refused("{x: }"), HasSubstr(which));
  EXPECT_THAT(region_refused("{x: {indices: [1]}}"),
              HasSubstr("unknown key 'indices' of 'x'; known are: index, values"));
  EXPECT_THAT(region_refused("[x]"), HasSubstr("a map of dimensions is wanted here"));
}

TEST(RegionValues, that_select_nothing_are_refused) {
  EXPECT_THAT(region_refused("{x: {index: {from: 5, to: 4}}}"), HasSubstr("from: 5 is behind to: 4"));
  EXPECT_THAT(region_refused("{x: {index: {from: 0, to: 4, step: 0}}}"), HasSubstr("at least 1"));
  EXPECT_THAT(region_refused("{x: {index: {from: -1}}}"), HasSubstr("counted from 0"));
  EXPECT_THAT(region_refused("{x: {index: {from: 0, stop: 4}}}"), HasSubstr("unknown key 'stop' of 'index'"));
  EXPECT_THAT(region_refused("{z: {index: []}}"), HasSubstr("the list is empty"));
  EXPECT_THAT(region_refused("{z: {index: [3, 3]}}"), HasSubstr("index 3 stands behind 3"));
  EXPECT_THAT(region_refused("{z: {index: [7, 3]}}"), HasSubstr("index 3 stands behind 7"));
  EXPECT_THAT(region_refused("{lat: {values: {from: 2}}}"), HasSubstr("both ends are wanted here"));
  EXPECT_THAT(region_refused("{lat: {values: [1, .nan]}}"), HasSubstr("'.nan' is no number"));
}

}  // namespace
}  // namespace thalweg::config
