#include "storage/growing_chunk.hpp"

#include <gtest/gtest.h>

#include "formats/sample_file.hpp"

namespace thalweg::storage {

namespace sample = formats::sample;

namespace {

using Rows = std::map<std::int64_t, std::vector<std::int16_t>>;

GrowingChunk of_four_records() {
  return {Type::int16, 4, 4, element_of(std::int16_t{-1})};
}

void put(GrowingChunk& chunk, std::int64_t record) {
  const std::array<std::int16_t, 2> values = {static_cast<std::int16_t>(record), static_cast<std::int16_t>(-record)};
  chunk.put(record, std::as_bytes(std::span(values)));
}

Rows commit(GrowingChunk& chunk, std::int64_t records) {
  Rows rows;
  chunk.commit(records, [&](std::int64_t row, std::span<const std::byte> bytes) {
    rows[row].resize(bytes.size() / 2);
    std::memcpy(rows[row].data(), bytes.data(), bytes.size());
  });
  return rows;
}

TEST(GrowingChunk, is_whole_at_each_commit) {
  GrowingChunk chunk = of_four_records();
  put(chunk, 0);
  EXPECT_EQ(commit(chunk, 1), (Rows{{0, {0, 0, -1, -1, -1, -1, -1, -1}}}));
  put(chunk, 1);
  EXPECT_EQ(commit(chunk, 2), (Rows{{0, {0, 0, 1, -1, -1, -1, -1, -1}}}));
}

TEST(GrowingChunk, is_written_only_where_it_changed) {
  GrowingChunk chunk = of_four_records();
  put(chunk, 0);
  commit(chunk, 1);
  EXPECT_EQ(commit(chunk, 1), Rows{});
}

TEST(GrowingChunk, takes_records_of_several_rows_in_any_order) {
  GrowingChunk chunk = of_four_records();
  for (const std::int64_t record : {4, 3, 2, 1, 0}) put(chunk, record);
  EXPECT_EQ(commit(chunk, 5), (Rows{{0, {0, 0, 1, -1, 2, -2, 3, -3}}, {1, {4, -4, -1, -1, -1, -1, -1, -1}}}));
  put(chunk, 5);
  EXPECT_EQ(commit(chunk, 6), (Rows{{1, {4, -4, 5, -5, -1, -1, -1, -1}}}));
}

TEST(GrowingChunk, may_hold_records_beyond_the_committed_ones) {
  GrowingChunk chunk = of_four_records();
  for (const std::int64_t record : {0, 1, 4}) put(chunk, record);
  EXPECT_EQ(commit(chunk, 1).size(), 2U);
  put(chunk, 2);
  EXPECT_EQ(commit(chunk, 3), (Rows{{0, {0, 0, 1, -1, 2, -2, -1, -1}}}));
}

TEST(GrowingChunk, refuses_a_record_of_another_size) {
  GrowingChunk chunk = of_four_records();
  const std::array<std::byte, 3> bytes{};
  sample::expect_error(THALWEG_ERROR_INTERNAL, "a record of 3 bytes", [&] { chunk.put(0, bytes); });
}

}  // namespace
}  // namespace thalweg::storage
