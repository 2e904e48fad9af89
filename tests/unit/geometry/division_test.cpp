#include "geometry/division.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace thalweg::geometry {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

// A variable's domains, of these bytes.
void add(std::vector<Portion>& portions, const std::vector<std::int64_t>& bytes) {
  for (std::int64_t place = 0; place < std::ssize(bytes); ++place)
    portions.push_back({place, std::ssize(bytes), bytes[static_cast<std::size_t>(place)]});
}

std::vector<std::int64_t> loads(const std::vector<Portion>& portions, int shares) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(shares), 0);
  const std::vector<int> share_of = divide(portions, shares);
  for (std::size_t p = 0; p < portions.size(); ++p)
    bytes.at(static_cast<std::size_t>(share_of[p])) += portions[p].bytes;
  return bytes;
}

TEST(Division, among_one_gives_it_all) {
  std::vector<Portion> portions;
  add(portions, {4, 4, 4});
  EXPECT_THAT(divide(portions, 1), ElementsAre(0, 0, 0));
  EXPECT_THAT(divide({}, 3), ElementsAre());
}

TEST(Division, gives_each_the_same_part_of_every_variable) {
  std::vector<Portion> portions;
  for (const std::int64_t bytes : {60, 600, 6}) add(portions, {bytes, bytes, bytes, bytes});
  EXPECT_THAT(divide(portions, 2), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1));
  EXPECT_THAT(divide(portions, 4), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3));
}

TEST(Division, of_whole_variables_goes_by_their_bytes) {
  std::vector<Portion> portions;
  for (const std::int64_t bytes : {8, 1000, 400, 400, 200}) add(portions, {bytes});
  EXPECT_THAT(divide(portions, 2), ElementsAre(0, 0, 1, 1, 1));
}

TEST(Division, leaves_out_those_for_whom_there_is_nothing) {
  std::vector<Portion> portions;
  add(portions, {100});
  EXPECT_THAT(divide(portions, 3), ElementsAre(0));
  add(portions, {1});
  add(portions, {1});
  EXPECT_THAT(divide(portions, 3), ElementsAre(0, 1, 1));
}

TEST(Division, of_nothing_but_empty_blocks_gives_them_to_the_first) {
  std::vector<Portion> portions;
  add(portions, {0, 0});
  EXPECT_THAT(divide(portions, 2), ElementsAre(0, 0));
}

TEST(Division, is_balanced_whatever_the_blocks_are) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::vector<Portion> portions;
    std::int64_t largest = 0;
    for (auto variables = 1 + random() % 6; variables > 0; --variables) {
      std::vector<std::int64_t> bytes(1 + random() % 9);
      for (std::int64_t& of : bytes) largest = std::max(largest, of = static_cast<std::int64_t>(random() % 1000));
      add(portions, bytes);
    }
    const int shares = 1 + static_cast<int>(random() % 5);
    const std::vector<std::int64_t> bytes = loads(portions, shares);
    const std::int64_t fair = std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}) / shares;
    EXPECT_LE(std::ranges::max(bytes), fair + largest + 1);
    const std::vector<int> share_of = divide(portions, shares);
    std::vector<bool> has(static_cast<std::size_t>(std::ranges::max(share_of)) + 1, false);
    for (const int share : share_of) has[static_cast<std::size_t>(share)] = true;
    EXPECT_THAT(has, ElementsAreArray(std::vector<bool>(has.size(), true)));
  }
}

}  // namespace
}  // namespace thalweg::geometry
