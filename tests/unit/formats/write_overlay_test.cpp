#include "formats/netcdf4/write_overlay.hpp"

#include <gtest/gtest.h>

#include <random>

namespace thalweg::formats::netcdf4 {
namespace {

// Against the plain way: an array with a mark for each byte that was written.
TEST(WriteOverlay, gives_the_latest_write_of_each_byte) {
  std::minstd_rand random(7);
  for (int round = 0; round < 50; ++round) {
    WriteOverlay overlay;
    std::vector<int> plain(200, -1);
    for (int i = 0; i < 40; ++i) {
      const std::size_t begin = random() % 190;
      const std::size_t size = random() % std::min<std::size_t>(30, 200 - begin);
      const std::vector<std::byte> bytes(size, static_cast<std::byte>(i));
      overlay.write(static_cast<std::int64_t>(begin), bytes);
      std::fill_n(plain.begin() + static_cast<std::ptrdiff_t>(begin), size, i);
    }
    std::vector<std::byte> got(150, std::byte{0xff});
    overlay.cover(20, got);
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(std::to_integer<int>(got[i]), plain[i + 20] < 0 ? 0xff : plain[i + 20]);
    std::int64_t last_end = -1;
    std::int64_t held = 0;
    for (const block::MetadataWrite& write : overlay.joined(WriteOrder::first)) {
      ASSERT_GT(write.offset, last_end);
      last_end = write.offset + std::ssize(write.bytes);
      held += std::ssize(write.bytes);
      for (std::size_t i = 0; i < write.bytes.size(); ++i)
        ASSERT_EQ(std::to_integer<int>(write.bytes[i]), plain[static_cast<std::size_t>(write.offset) + i]);
    }
    ASSERT_EQ(held, 200 - std::count(plain.begin(), plain.end(), -1));
  }
}

TEST(WriteOverlay, keeps_apart_what_is_to_be_written_last) {
  WriteOverlay overlay;
  overlay.write(0, std::vector<std::byte>(10, std::byte{1}));
  overlay.write(10, std::vector<std::byte>(10, std::byte{2}), WriteOrder::last);
  overlay.write(15, std::vector<std::byte>(10, std::byte{3}));
  const auto first = overlay.joined(WriteOrder::first);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].end(), 10);
  EXPECT_EQ(first[1].offset, 15);
  const auto last = overlay.joined(WriteOrder::last);
  ASSERT_EQ(last.size(), 1U);
  EXPECT_EQ(last[0].offset, 10);
  EXPECT_EQ(last[0].end(), 15);
}

}  // namespace
}  // namespace thalweg::formats::netcdf4
