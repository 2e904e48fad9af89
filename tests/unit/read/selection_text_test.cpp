#include "read/selection_text.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "error_of.hpp"

using namespace thalweg;
using namespace thalweg::read;

namespace {

using By = Choice::By;

Choice only(const std::string& text) {
  const auto choices = parse_selection(text, "a.nc");
  EXPECT_EQ(choices.size(), 1U) << text;
  return choices.at(0);
}

TEST(SelectionText, says_cells_by_index) {
  const Choice cells = only(" z [ 2 : 9 : 3 ] ");
  EXPECT_EQ(cells.name, "z");
  EXPECT_EQ(cells.by, By::cells);
  EXPECT_EQ(cells.first, 2);
  EXPECT_EQ(cells.stop, 9);
  EXPECT_EQ(cells.step, 3);
  EXPECT_EQ(only("z[:]").first, 0);
  EXPECT_FALSE(only("z[::2]").stop.has_value());
  EXPECT_EQ(only("z[::2]").step, 2);
  EXPECT_EQ(only("z[4]").by, By::cell);
  EXPECT_EQ(only("z[4]").first, 4);
}

TEST(SelectionText, says_cells_by_coordinate) {
  const Choice range = only("lat = -20.5 : 7e1 : 2");
  EXPECT_EQ(range.by, By::range);
  EXPECT_EQ(range.low, -20.5);
  EXPECT_EQ(range.high, 70.0);
  EXPECT_EQ(range.step, 2);
  EXPECT_FALSE(only("lat=:3").low.has_value());
  EXPECT_FALSE(only("lat=3:").high.has_value());
  EXPECT_EQ(only("z=500").by, By::value);
  EXPECT_EQ(only("z= ~ -5").by, By::nearest);
  EXPECT_EQ(only("z=~-5").low, -5.0);
}

TEST(SelectionText, is_a_list) {
  const auto choices = parse_selection("lon=-30:40, lat=20:70,z[0]", "a.nc");
  ASSERT_EQ(choices.size(), 3U);
  EXPECT_EQ(choices[1].name, "lat");
  EXPECT_EQ(choices[2].text, "z[0]");
  EXPECT_TRUE(parse_selection(" ", "a.nc").empty());
}

TEST(SelectionText, refuses_what_it_does_not_understand) {
  for (const char* text : {"z",        "z,",         "=3",      "[3]",       "z=",
                           "z[]",      "z[1",        "z[1]x",   "z[-1]",     "z[1.5]",
                           "z[1:2:0]", "z[1:2:3:4]", "z=1:2:x", "z=1:2:-1",  "z=1:2:3:4",
                           "z=~",      "z=~1:2",     "z=nan",   "z=inf",     "z=1e999",
                           "z=0x10",   "z=1 2",      "z==3",    "z=1:2:1.5", "z[99999999999999999999]"}) {
    const std::string said = error_of(THALWEG_ERROR_ARGUMENT, [&] { parse_selection(text, "a.nc"); });
    EXPECT_TRUE(said.starts_with("a.nc: '")) << text << ": " << said;
  }
}

}  // namespace
