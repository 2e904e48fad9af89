// What a region has of arrays and samples, against cells that are taken one by one.
#include "fields/picked.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace thalweg::fields {
namespace {

using geometry::Selection;
using testing::ElementsAre;

constexpr double not_picked = -1.0;

// Of a box of 3 x 4 cells, whose values are 0 to 11.
struct Array {
  std::vector<double> values = std::vector<double>(12);
  put::Field field{nullptr, Type::float64, {3, 4}, {32, 8}};
  Array() {
    std::iota(values.begin(), values.end(), 0.0);
    field.data = reinterpret_cast<const std::byte*>(values.data());
  }
};

std::vector<double> values_of(const put::Field& field) {
  std::vector<double> values;
  Sample(field).for_each_strip(
      [&](std::int64_t, std::span<const double> strip) { values.insert(values.end(), strip.begin(), strip.end()); });
  return values;
}

// Of each cell; not_picked: it was not put, or holds no value.
std::vector<double> values_of(const PutSample& put, std::int64_t cells) {
  std::vector<double> values(static_cast<std::size_t>(cells), not_picked);
  put.for_each_run([&](std::int64_t first, std::span<const double> strip, std::span<const std::uint8_t> holding) {
    for (std::size_t i = 0; i < strip.size(); ++i)
      if (holding.empty() || holding[i] != 0) values[static_cast<std::size_t>(first) + i] = strip[i];
  });
  return values;
}

const PickedBox strided{0, {3, 4}, {Selection({{0, 2, 2}}), Selection({{1, 2, 2}})}};
const PickedBox listed{0, {3, 4}, {Selection({{0, 2, 2}}), Selection({{3, 1, 1}, {0, 1, 2}})}};
const std::vector<double> of_strided = {1, 3, 9, 11}, of_listed = {3, 0, 1, 11, 8, 9};

TEST(PickedArray, is_a_view_where_strides_can_say_it) {
  const Array array;
  const PickedArray view(array.field, strided);
  EXPECT_EQ(view.field().data, array.field.data + 8);
  EXPECT_EQ(view.field().extent, (Index{2, 2}));
  EXPECT_EQ(view.field().stride, (Index{64, 16}));
  EXPECT_EQ(values_of(view.field()), of_strided);
}

TEST(PickedArray, is_a_copy_elsewhere) {
  const Array array;
  const PickedArray copy(array.field, listed);
  EXPECT_EQ(copy.field().extent, (Index{2, 3}));
  EXPECT_EQ(values_of(copy.field()), of_listed);
  const std::vector<std::int16_t> turned = {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11};
  const put::Field field{reinterpret_cast<const std::byte*>(turned.data()), Type::int16, {3, 4}, {2, 6}};
  const PickedArray of_turned(field, listed);
  EXPECT_EQ(of_turned.field().type, Type::int16);
  EXPECT_EQ(values_of(of_turned.field()), of_listed);
}

TEST(PickedSample, of_an_array_and_its_mask) {
  const Array array;
  const Sample all(array.field);
  std::vector<std::uint8_t> holding(12, 1);
  holding[9] = 0;
  const PutSample put{
      .sample = all, .holding = holding, .part = nullptr, .is_single = true, .weight = {2.0, 1.0}, .array = &all};
  const PickedSample picked(put, listed);
  EXPECT_TRUE(picked.put().is_whole);
  EXPECT_TRUE(picked.put().is_single);
  EXPECT_EQ(picked.put().weight.by_time, 2.0);
  EXPECT_THAT(values_of(picked.put(), 6), ElementsAre(3, 0, 1, 11, 8, not_picked));
}

TEST(PickedSample, of_what_is_no_array) {
  const Array array;
  const Sample all(array.field);
  std::vector<std::uint8_t> holding(12, 1);
  holding[3] = 0;
  const PutSample put{.sample = all, .holding = holding, .part = nullptr, .is_single = false, .weight = {}};
  EXPECT_THAT(values_of(PickedSample(put, listed).put(), 6), ElementsAre(not_picked, 0, 1, 11, 8, 9));
  EXPECT_THAT(values_of(PickedSample(put, strided).put(), 4), ElementsAre(1, not_picked, 9, 11));
}

TEST(PickedSample, of_a_part_has_the_cells_that_were_put) {
  const std::vector<double> values = {5, 6, 7, 9, 10, 11};
  const put::Field field{reinterpret_cast<const std::byte*>(values.data()), Type::float64, {2, 3}, {24, 8}};
  const Sample all(field);
  const Part part{{1, 1}, {2, 3}, {3, 4}};
  const std::vector<std::uint8_t> holding = {1, 1, 1, 0, 1, 1};
  const PutSample put{.sample = all, .holding = holding, .part = &part, .is_single = false, .weight = {}};
  const PickedSample picked(put, strided);
  EXPECT_FALSE(picked.put().is_whole);
  EXPECT_THAT(values_of(picked.put(), 4), ElementsAre(not_picked, not_picked, not_picked, 11));
  std::int64_t cells = 0;
  picked.put().for_each_run(
      [&](std::int64_t, std::span<const double> strip, std::span<const std::uint8_t>) { cells += std::ssize(strip); });
  EXPECT_EQ(cells, 2) << "one of them holds no value";
}

}  // namespace
}  // namespace thalweg::fields
