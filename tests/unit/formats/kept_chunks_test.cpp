// Decoded chunks that are kept.
#include "formats/kept_chunks.hpp"

#include <gtest/gtest.h>

namespace thalweg::formats {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

KeptChunks::Values of(std::size_t bytes, int value = 0) {
  return std::make_shared<const std::vector<std::byte>>(bytes, static_cast<std::byte>(value));
}

class KeepingChunks : public testing::Test {
 protected:
  KeptChunks kept_;
  int arrays_[30] = {};
};

TEST_F(KeepingChunks, gives_what_was_kept_last) {
  EXPECT_EQ(kept_.find(&arrays_[0], {0, 1}), nullptr);
  const KeptChunks::Values first = of(10, 1), second = of(10, 2);
  kept_.keep(&arrays_[0], {0, 1}, first);
  kept_.keep(&arrays_[0], {0, 2}, second);
  EXPECT_EQ(kept_.find(&arrays_[0], {0, 1}), first);
  EXPECT_EQ(kept_.find(&arrays_[1], {0, 1}), nullptr);
  kept_.keep(&arrays_[0], {0, 1}, second);
  EXPECT_EQ(kept_.find(&arrays_[0], {0, 1}), second);
}

TEST_F(KeepingChunks, forgets_what_was_not_used_for_longest) {
  for (std::int64_t i = 0; i < 7; ++i) {
    kept_.keep(&arrays_[0], {i}, of(9 * megabyte));
    kept_.find(&arrays_[0], {0});
  }
  kept_.keep(&arrays_[0], {7}, of(9 * megabyte));
  EXPECT_NE(kept_.find(&arrays_[0], {0}), nullptr);
  EXPECT_EQ(kept_.find(&arrays_[0], {1}), nullptr);
  kept_.keep(&arrays_[0], {8}, of(100 * megabyte));
  EXPECT_NE(kept_.find(&arrays_[0], {8}), nullptr) << "the last one, however large";
  EXPECT_EQ(kept_.find(&arrays_[0], {0}), nullptr);
}

TEST_F(KeepingChunks, keeps_a_chunk_of_each_of_many_arrays) {
  for (const int& array : arrays_) kept_.keep(&array, {0}, of(3 * megabyte));
  for (const int& array : arrays_) EXPECT_NE(kept_.find(&array, {0}), nullptr);
}

TEST_F(KeepingChunks, counts_what_small_ones_need_themselves) {
  const KeptChunks::Values none = of(0);
  for (std::int64_t i = 0; i < 400000; ++i) kept_.keep(&arrays_[0], {i}, none);
  EXPECT_EQ(kept_.find(&arrays_[0], {0}), nullptr);
  EXPECT_NE(kept_.find(&arrays_[0], {399999}), nullptr);
}

}  // namespace
}  // namespace thalweg::formats
