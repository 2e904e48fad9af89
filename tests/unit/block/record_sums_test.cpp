#include "block/record_sums.hpp"

#include <gtest/gtest.h>

#include "block/planned_block.hpp"

namespace thalweg::block {
namespace {

TEST(RecordSums, add_up_whatever_the_order_and_the_parts) {
  RecordSums one(2), other(2);
  one.add({0, 0, 3}, 1, 5);
  one.add({0, 0, 3}, 1, ~std::uint64_t{0});  // wraps
  one.add({0, 0, 3}, 0, 7);
  other.add({0, 0, 3}, Sums{7, 2});
  other.add({0, 0, 3}, Sums{0, 2});
  EXPECT_EQ(one.take({0, 0, 3}), (Sums{7, 4}));
  EXPECT_EQ(other.take({0, 0, 3}), (Sums{7, 4}));
}

TEST(RecordSums, keep_files_parts_and_records_apart) {
  RecordSums sums(1);
  for (const std::int64_t file : {0, 1})
    for (const int part : {0, 1})
      for (const std::int64_t index : {fixed_record, std::int64_t{0}, std::int64_t{1}})
        sums.add({file, part, index}, 0, static_cast<std::uint64_t>(100 * file + 10 * part + index + 2));
  const FileSums found = sums.take_file(1, 0, 2);
  EXPECT_EQ(found.fixed, Sums{101});
  EXPECT_EQ(found.records, (std::vector<Sums>{{102}, {103}}));
  EXPECT_EQ(sums.take_file(0, 1, 2).fixed, Sums{11});
  EXPECT_EQ(sums.take({1, 1, 1}), Sums{113});
}

TEST(RecordSums, forget_records_that_the_file_does_not_keep) {
  RecordSums sums(1);
  for (std::int64_t index = 0; index < 3; ++index) sums.add({0, 0, index}, 0, 1);
  EXPECT_EQ(sums.take_file(0, 0, 1).records, std::vector<Sums>{{1}});
  EXPECT_EQ(sums.take({0, 0, 2}), Sums{0});
}

TEST(RecordSums, say_zero_where_nothing_was_added) {
  RecordSums sums(2);
  EXPECT_EQ(sums.take_file(0, 0, 1).records, (std::vector<Sums>{{0, 0}}));
}

TEST(RecordSums, travel_as_numbers) {
  const FileSums sums{{1, ~std::uint64_t{0}}, {{3, 4}, {std::uint64_t{1} << 63, 6}}};
  const FileSums found = decoded(coded(sums), 2);
  EXPECT_EQ(found.fixed, sums.fixed);
  EXPECT_EQ(found.records, sums.records);
}

}  // namespace
}  // namespace thalweg::block
