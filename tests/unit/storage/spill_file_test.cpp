#include "storage/spill_file.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "formats/sample_file.hpp"

namespace thalweg::storage {

namespace sample = formats::sample;

namespace {

using sample::Folder;

std::vector<std::byte> bytes_of(char value, std::size_t count) {
  return std::vector<std::byte>(count, static_cast<std::byte>(value));
}

std::optional<std::int64_t> keep(SpillFile& file, std::vector<std::byte>& first, std::vector<std::byte>& second) {
  std::vector<iovec> parts = {{first.data(), first.size()}, {second.data(), second.size()}};
  return file.keep(parts);
}

void expect_kept(const SpillFile& file, std::int64_t place, const std::vector<std::byte>& first,
                 const std::vector<std::byte>& second) {
  std::vector<std::byte> read(first.size() + second.size());
  file.read(place, read);
  EXPECT_EQ(std::memcmp(read.data(), first.data(), first.size()), 0);
  EXPECT_EQ(std::memcmp(read.data() + first.size(), second.data(), second.size()), 0);
}

TEST(SpillFile, gives_back_what_it_keeps_in_any_order) {
  const Folder folder;
  SpillFile file({folder / "", 1 << 20});
  auto a = bytes_of('a', 5000), b = bytes_of('b', 3), c = bytes_of('c', 8192), d = bytes_of('d', 1);
  const auto first = keep(file, a, b);
  const auto second = keep(file, c, d);
  ASSERT_TRUE(first && second);
  expect_kept(file, *second, c, d);
  expect_kept(file, *first, a, b);
  file.forget(*first, 5003);
  expect_kept(file, *second, c, d);
}

TEST(SpillFile, has_no_name_in_its_folder) {
  const Folder folder;
  SpillFile file({folder / "", 1 << 20});
  auto a = bytes_of('a', 10);
  ASSERT_TRUE(keep(file, a, a));
  EXPECT_EQ(folder.files(), 0U);
}

TEST(SpillFile, keeps_no_more_than_its_limit_at_once) {
  const Folder folder;
  SpillFile file({folder / "", 3 * 4096});
  auto a = bytes_of('a', 2000);
  const auto first = keep(file, a, a);
  ASSERT_TRUE(first && keep(file, a, a) && keep(file, a, a));
  EXPECT_FALSE(keep(file, a, a));
  file.forget(*first, 4000);
  EXPECT_EQ(file.kept_bytes(), 2 * 4096) << "this file system gives room back";
  const auto again = keep(file, a, a);
  ASSERT_TRUE(again);
  expect_kept(file, *again, a, a);
}

TEST(SpillFile, begins_anew_when_it_keeps_nothing) {
  const Folder folder;
  SpillFile file({folder / "", 1 << 20});
  auto a = bytes_of('a', 10);
  for (int i = 0; i < 3; ++i) {
    const auto place = keep(file, a, a);
    EXPECT_EQ(place, 0);
    file.forget(*place, 20);
  }
}

TEST(SpillFile, keeps_nothing_where_its_folder_cannot_be_used) {
  const Folder folder;
  auto a = bytes_of('a', 10);
  SpillFile nowhere({folder / "nowhere", 1 << 20});
  EXPECT_FALSE(keep(nowhere, a, a));
  EXPECT_FALSE(keep(nowhere, a, a));
  std::ofstream(folder / "taken") << "";
  SpillFile taken({folder / "taken", 1 << 20});
  EXPECT_FALSE(keep(taken, a, a));
}

}  // namespace
}  // namespace thalweg::storage
