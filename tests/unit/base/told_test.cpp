#include "base/told.hpp"

#include <gtest/gtest.h>

#include "base/box.hpp"

namespace thalweg::told {
namespace {

// The language is the process's.
class Told : public testing::Test {
 protected:
  void TearDown() override { set_language(Language::c); }
  Box part{{2, 0, 5}, {1, 4, 3}};
};

TEST_F(Told, boxes_are_as_c_counts_them) {
  EXPECT_EQ(box(part), "[2:3, 0:4, 5:8]");
  EXPECT_EQ(box({{}, {}}), "[]");
  EXPECT_EQ(sections(), "from 0, to behind their last index, slowest dimension first");
}

TEST_F(Told, boxes_are_as_sections_of_fortran) {
  set_language(Language::fortran);
  EXPECT_EQ(box(part), "[6:8, 1:4, 3:3]");
  EXPECT_EQ(names({"z", "y", "x"}), "x,y,z");
  EXPECT_EQ(sections(), "from 1, to their last index, fastest dimension first");
}

}  // namespace
}  // namespace thalweg::told
