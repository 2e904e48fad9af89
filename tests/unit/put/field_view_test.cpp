#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "error_of.hpp"
#include "put/field_view.hpp"

namespace thalweg::put {
namespace {

// A variable (z, y, x), of which y and x are decomposed with halos.
struct Rules {
  std::vector<int> memory_place = {0, 1, 2};
  std::vector<int> decomposed = {-1, 0, 1};
  Index low = {0, 0};
  Index high = {0, 0};
  FieldRules view() const { return {memory_place, decomposed, low, high}; }
};

const Box box{{0, 10, 20}, {5, 6, 7}};

Field field_of(const Index& extent) {
  return {nullptr, Type::float32, extent, contiguous_strides(extent, 4)};
}

std::string error_of(const Field& field, const Rules& rules) {
  return thalweg::error_of(THALWEG_ERROR_SHAPE,
                           [&] { view_field(field, box, rules.view(), "rank 3, variable 'temp'"); });
}

TEST(ViewField, takes_the_array_as_it_lies_without_halo) {
  const FieldView view = view_field(field_of({5, 6, 7}), box, Rules().view(), "");
  EXPECT_EQ(view.offset, 0);
  EXPECT_EQ(view.stride, (Index{6 * 7 * 4, 7 * 4, 4}));
}

TEST(ViewField, begins_behind_the_lower_halo) {
  const Rules rules{.low = {1, 2}, .high = {3, 4}};
  const FieldView view = view_field(field_of({5, 6 + 4, 7 + 6}), box, rules.view(), "");
  EXPECT_EQ(view.offset, (1 * 13 + 2) * 4);
  EXPECT_EQ(view.stride, (Index{130 * 4, 13 * 4, 4}));
}

TEST(ViewField, takes_each_dimension_with_or_without_its_halo) {
  const Rules rules{.low = {1, 2}, .high = {3, 4}};
  EXPECT_EQ(view_field(field_of({5, 6, 13}), box, rules.view(), "").offset, 2 * 4);
  EXPECT_EQ(view_field(field_of({5, 10, 7}), box, rules.view(), "").offset, 1 * 7 * 4);
  EXPECT_EQ(view_field(field_of({5, 6, 7}), box, rules.view(), "").offset, 0);
}

TEST(ViewField, takes_a_halo_on_one_side_only) {
  const Rules rules{.low = {0, 0}, .high = {1, 1}};
  EXPECT_EQ(view_field(field_of({5, 7, 8}), box, rules.view(), "").offset, 0);
}

TEST(ViewField, turns_the_model_s_order_of_dimensions_into_the_file_s) {
  // In memory (y, z, x), slowest first.
  const Rules rules{.memory_place = {1, 0, 2}, .low = {1, 0}, .high = {1, 0}};
  const FieldView view = view_field(field_of({8, 5, 7}), box, rules.view(), "");
  EXPECT_EQ(view.stride, (Index{7 * 4, 5 * 7 * 4, 4}));
  EXPECT_EQ(view.offset, 5 * 7 * 4);
}

TEST(ViewField, keeps_the_strides_of_a_section_also_negative_ones) {
  Field field = field_of({5, 6, 7});
  field.stride = {4000, -400, 16};
  const FieldView view = view_field(field, box, Rules().view(), "");
  EXPECT_EQ(view.stride, (Index{4000, -400, 16}));
}

TEST(ViewField, takes_a_scalar) {
  const FieldView view = view_field({}, {}, {}, "");
  EXPECT_EQ(view.stride.rank(), 0);
  EXPECT_EQ(view.offset, 0);
}

TEST(ViewField, refuses_another_number_of_dimensions) {
  EXPECT_EQ(
      error_of(field_of({30, 7}), {}),
      "rank 3, variable 'temp': the array has 2 dimensions, but the variable has 3 (without the record dimension)");
}

TEST(ViewField, refuses_an_extent_that_is_neither_with_nor_without_halo) {
  const std::string with_halo = error_of(field_of({5, 7, 7}), {.low = {1, 1}, .high = {1, 1}});
  EXPECT_NE(
      with_halo.find("dimension 1 of the array (slowest first) has 7 elements, but it must have 6, or 8 with the halo"),
      std::string::npos)
      << with_halo;
  const std::string without = error_of(field_of({4, 6, 7}), {});
  EXPECT_TRUE(without.ends_with("dimension 0 of the array (slowest first) has 4 elements, but it must have 5"))
      << without;
}

TEST(ViewField, names_the_dimension_by_its_place_in_the_array) {
  const std::string text = error_of(field_of({6, 4, 7}), {.memory_place = {1, 0, 2}});
  EXPECT_NE(text.find("dimension 1 of the array (slowest first) has 4 elements, but it must have 5"), std::string::npos)
      << text;
}

}  // namespace
}  // namespace thalweg::put
