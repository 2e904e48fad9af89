#include "fields/sample.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace thalweg::fields {
namespace {

std::vector<double> values_of(const Sample& sample) {
  std::vector<double> values;
  sample.for_each_strip([&](std::int64_t first, std::span<const double> strip) {
    EXPECT_EQ(first, std::ssize(values));
    values.insert(values.end(), strip.begin(), strip.end());
  });
  return values;
}

// A variable (y, x) of 3 x 2 cells, with a halo of 1 around.
const put::FieldRules rules{{0, 1}, {0, 1}, {1, 1}, {1, 1}};
const Box box{{0, 0}, {3, 2}};

TEST(Sample, is_without_the_halo) {
  std::vector<float> array(5 * 4);
  std::iota(array.begin(), array.end(), 0.0F);
  const put::Field field{reinterpret_cast<const std::byte*>(array.data()), Type::float32, {5, 4}, {16, 4}};
  const Sample sample(field, put::view_field(field, box, rules, "x"), box.count, rules);
  EXPECT_EQ(values_of(sample), (std::vector<double>{5, 6, 9, 10, 13, 14}));
}

TEST(Sample, is_in_the_order_of_memory) {
  const put::FieldRules turned{{1, 0}, {0, 1}, {0, 0}, {0, 0}};
  std::vector<std::int16_t> array = {0, 1, 2, 3, 4, 5};  // x slowest
  const put::Field field{reinterpret_cast<const std::byte*>(array.data()), Type::int16, {2, 3}, {6, 2}};
  const Sample sample(field, put::view_field(field, box, turned, "x"), box.count, turned);
  EXPECT_EQ(sample.extent(), (Index{2, 3}));
  EXPECT_EQ(values_of(sample), (std::vector<double>{0, 1, 2, 3, 4, 5}));
}

TEST(Sample, has_sections_and_long_rows_in_strips) {
  const put::FieldRules one{{0}, {-1}, {}, {}};
  std::vector<double> array(5001);
  std::iota(array.begin(), array.end(), 0.0);
  const Box row{{0}, {2500}};
  const put::Field field{reinterpret_cast<const std::byte*>(array.data() + 1), Type::float64, {2500}, {16}};
  const std::vector<double> values = values_of({field, put::view_field(field, row, one, "x"), row.count, one});
  ASSERT_EQ(values.size(), 2500U);
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], 1.0 + 2.0 * static_cast<double>(i));
}

TEST(Sample, of_a_scalar_and_of_nothing) {
  const double value = 7;
  const put::Field field{reinterpret_cast<const std::byte*>(&value), Type::float64, {}, {}};
  EXPECT_EQ(values_of({field, {}, {}, {}}), (std::vector<double>{7}));
  const put::FieldRules one{{0}, {-1}, {}, {}};
  const put::Field none{nullptr, Type::float64, {0}, {8}};
  EXPECT_EQ(values_of({none, {{8}, 0}, {0}, one}), std::vector<double>());
}

}  // namespace
}  // namespace thalweg::fields
