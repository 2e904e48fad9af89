#include "base/names.hpp"

#include <gtest/gtest.h>

namespace thalweg {
namespace {

using Names = std::vector<std::string>;

TEST(Names, lists_are_split_at_commas_and_trimmed) {
  EXPECT_EQ(split_names("y, x"), (Names{"y", "x"}));
  EXPECT_EQ(split_names("  time ,lev,\ty , x "), (Names{"time", "lev", "y", "x"}));
  EXPECT_EQ(split_names("time"), Names{"time"});
}

TEST(Names, blank_lists_are_empty) {
  EXPECT_EQ(split_names(""), Names{});
  EXPECT_EQ(split_names(" \t "), Names{});
}

TEST(Names, missing_names_in_a_list_stay_visible) {
  EXPECT_EQ(split_names("y,,x"), (Names{"y", "", "x"}));
  EXPECT_EQ(split_names("y,"), (Names{"y", ""}));
}

TEST(Names, nearest_come_first) {
  EXPECT_EQ(nearest_names("tem", {"salt", "temp2", "temp"}), (Names{"temp", "temp2"}));
  EXPECT_EQ(nearest_names("temp", {"temp1", "temp"}), (Names{"temp", "temp1"}));
}

TEST(Names, at_most_three_are_near) {
  EXPECT_EQ(nearest_names("t", {"t1", "t2", "t3", "t4"}).size(), 3U);
}

TEST(Names, implausible_ones_are_not_near) {
  EXPECT_EQ(nearest_names("temperature", {"salt", "ssh"}), Names{});
  EXPECT_EQ(nearest_names("temp", {}), Names{});
}

TEST(Names, longer_names_may_differ_in_more_letters) {
  EXPECT_EQ(nearest_names("sea_surface_temp", {"sea_surface_temper"}), Names{"sea_surface_temper"});
  EXPECT_EQ(nearest_names("abc", {"xyz"}), Names{});
}

TEST(Names, hints_propose_the_near_ones) {
  EXPECT_EQ(name_hint("tem", {"temp", "salinity"}), "; did you mean 'temp'?");
  EXPECT_EQ(name_hint("tem", {"temp", "temp2"}), "; did you mean 'temp' or 'temp2'?");
}

TEST(Names, hints_list_all_when_none_is_near) {
  EXPECT_EQ(name_hint("velocity", {"temp", "salt"}), "; known are: temp, salt");
  EXPECT_EQ(name_hint("velocity", {}), "");
}

TEST(Names, hints_stay_short) {
  const Names many(21, "temperature");
  const std::string hint = name_hint("q", many);
  EXPECT_TRUE(hint.ends_with(", …")) << hint;
  EXPECT_LT(hint.size(), 300U);
  EXPECT_FALSE(name_hint("q", Names(20, "temperature")).ends_with("…"));
}

}  // namespace
}  // namespace thalweg
