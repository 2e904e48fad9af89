#include "fields/columns_of_fields.hpp"

#include <gtest/gtest.h>

namespace thalweg::fields {
namespace {

TEST(ColumnsOfFields, have_no_methods_along_what_is_gone) {
  EXPECT_EQ(without_method_along("lev: mean", "lev"), "");
  EXPECT_EQ(without_method_along("area: mean", "lev"), "area: mean");
  EXPECT_EQ(without_method_along("lev: sum (weighted by h) area: mean where sea", "lev"), "area: mean where sea");
  EXPECT_EQ(without_method_along("lat: lev: mean (interval: 1 m comment: lev: here) y: point", "lev"),
            "lat: mean (interval: 1 m comment: lev: here) y: point");
  EXPECT_EQ(without_method_along("y: point lev: maximum", "lev"), "y: point");
  EXPECT_EQ(without_method_along("", "lev"), "");
}

}  // namespace
}  // namespace thalweg::fields
