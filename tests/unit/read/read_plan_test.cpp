#include "read/read_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/box_runs.hpp"
#include "read/placing.hpp"
#include "read/readers.hpp"

using namespace thalweg;
using namespace thalweg::read;

namespace {

constexpr std::int64_t rows = 7, columns = 11;
const Index shape = {rows, columns};

std::vector<std::int32_t> values_of(const Box& box) {
  std::vector<std::int32_t> values;
  for_each_run(whole(shape), box, [&](std::int64_t offset, std::int64_t cells) {
    for (std::int64_t i = 0; i < cells; ++i) values.push_back(static_cast<std::int32_t>(offset + i));
  });
  return values;
}

std::span<const std::byte> bytes_of(const std::vector<std::int32_t>& values) {
  return std::as_bytes(std::span(values));
}

// What each rank's array has when all messages of all rounds have come.
std::vector<std::int32_t> got_by(int rank, const std::vector<Wanted>& wanted, const std::vector<int>& readers,
                                 const std::vector<Window>& windows, const Target& target_of,
                                 std::vector<std::int32_t> array) {
  Target target = target_of;
  target.origin = reinterpret_cast<std::byte*>(array.data());
  std::vector<ReadPlan> plans;
  for (int r = 0; r < static_cast<int>(wanted.size()); ++r) {
    std::vector<Asked> others;
    for (int other = 0; other < static_cast<int>(wanted.size()); ++other)
      if (other != r) others.push_back({other, wanted[static_cast<std::size_t>(other)]});
    plans.push_back(plan_of(windows, readers, r, wanted[static_cast<std::size_t>(r)], others));
  }
  const ReadPlan& own = plans[static_cast<std::size_t>(rank)];
  for (std::size_t k = 0; k < own.rounds.size(); ++k) {
    for (const Share& share : own.rounds[k].incoming) {
      const Round& theirs = plans[static_cast<std::size_t>(share.peer)].rounds[k];
      const auto sent = std::ranges::find(theirs.outgoing, rank, &Share::peer);
      EXPECT_NE(sent, theirs.outgoing.end());
      EXPECT_EQ(sent->cells, share.cells);
      std::vector<std::int32_t> message(static_cast<std::size_t>(share.cells));
      pack(*sent, Type::int32, {bytes_of(values_of(theirs.window->box))}, std::as_writable_bytes(std::span(message)));
      place_message(share, bytes_of(message), target);
    }
    if (!own.rounds[k].own) continue;
    const std::vector<std::int32_t> window = values_of(own.rounds[k].window->box);
    std::vector<std::int32_t> message(static_cast<std::size_t>(own.rounds[k].own->cells));
    pack(*own.rounds[k].own, Type::int32, {bytes_of(window)}, std::as_writable_bytes(std::span(message)));
    place_message(*own.rounds[k].own_array, bytes_of(message), target);
  }
  return array;
}

TEST(Windows, cover_a_variable_once_in_whole_chunks) {
  for (const std::int64_t most : {1, 5, 20, 1000}) {
    std::vector<int> seen(static_cast<std::size_t>(rows * columns), 0);
    int last = 0;
    for (const Window& window : windows_of({shape, {2, 4}}, most, 3)) {
      EXPECT_GE(window.reader, last);
      last = window.reader;
      EXPECT_EQ(window.box.start[0] % 2, 0);
      EXPECT_EQ(window.box.start[1] % 4, 0);
      for (const std::int32_t cell : values_of(window.box)) ++seen[static_cast<std::size_t>(cell)];
    }
    EXPECT_EQ(std::ranges::count(seen, 1), rows * columns);
    EXPECT_LT(last, 3);
  }
}

TEST(Windows, of_a_part_have_nothing_else) {
  const Box part = {{1, 3}, {5, 6}};
  std::int64_t cells = 0;
  for (const Window& window : windows_within(part, {shape, {2, 4}}, 8)) {
    EXPECT_EQ(intersect(window.box, part), window.box);
    cells += window.box.cells();
  }
  EXPECT_EQ(cells, part.cells());
}

TEST(Windows, of_joined_dimensions_are_whole_rows) {
  const JoinedDimensions joined(1, {3, 5});
  for (const Window& window : windows_of({{2, 3, 5}, {1, 1, 2}, joined}, 5, 1)) {
    EXPECT_EQ(window.box.start[1] % 5, 0);
    EXPECT_EQ(window.box.count[1], 5);
    EXPECT_EQ(window.cells.count[2], 5);
  }
}

TEST(ReadPlan, brings_boxes_with_halos_to_every_rank) {
  std::vector<Wanted> wanted(3);
  const std::vector<Box> boxes = {{{0, 0}, {4, 11}}, {{4, 0}, {3, 5}}, {{4, 5}, {3, 6}}};
  for (std::size_t r = 0; r < 3; ++r)
    wanted[r].needs = needs_of({boxes[r], {1, 2}, {1, 2}}, shape, {{false, true}, {}});
  for (const std::vector<int>& readers : {std::vector{0}, std::vector{2, 1}})
    for (const std::int64_t most : {1, 6, 40, 1000}) {
      const auto windows = windows_of({shape, {1, 1}}, most, static_cast<int>(readers.size()));
      for (int r = 0; r < 3; ++r) {
        const Box& box = boxes[static_cast<std::size_t>(r)];
        const Index extent = {box.count[0] + 2, box.count[1] + 4};
        std::vector<std::int32_t> expected(static_cast<std::size_t>(extent.product()), -1);
        for (std::int64_t y = 0; y < extent[0]; ++y)
          for (std::int64_t x = 0; x < extent[1]; ++x)
            if (const std::int64_t row = box.start[0] - 1 + y; row >= 0 && row < rows)
              expected[static_cast<std::size_t>(y * extent[1] + x)] =
                  static_cast<std::int32_t>(row * columns + (box.start[1] - 2 + x + columns) % columns);
        const Target target{nullptr, Type::int32, contiguous_strides(extent, 4), {0, 0}, extent};
        EXPECT_EQ(got_by(r, wanted, readers, windows, target, std::vector<std::int32_t>(expected.size(), -1)),
                  expected);
      }
    }
}

TEST(ReadPlan, brings_the_points_of_lists_to_their_places) {
  std::vector<Wanted> wanted(2);
  for (Wanted& of : wanted) of.along = 1;
  wanted[0].runs = {{.local = 2, .global = 0, .length = 2}, {.local = 0, .global = 9, .length = 2}};
  wanted[1].runs = {{.local = 0, .global = 1, .length = 7}};  // also a point of the other
  for (const std::int64_t most : {3, 11, 1000}) {
    const auto windows = windows_of({shape, {1, 1}}, most, 1);
    std::vector<std::int32_t> expected;
    for (std::int32_t y = 0; y < rows; ++y)
      for (const std::int32_t x : {9, 10, 0, 1, -1}) expected.push_back(x < 0 ? -1 : y * columns + x);
    const Index extent = {rows, 5};
    const Target target{nullptr, Type::int32, contiguous_strides(extent, 4), {0, 0}, extent};
    EXPECT_EQ(got_by(0, wanted, {1}, windows, target, std::vector<std::int32_t>(expected.size(), -1)), expected);
    EXPECT_EQ(got_by(0, wanted, {0}, windows, target, std::vector<std::int32_t>(expected.size(), -1)), expected);
  }
}

TEST(Placing, leaves_out_a_halo_that_the_array_has_not) {
  std::vector<std::int32_t> array(4, -1);
  const Share share{.peer = 0, .window = {}, .needs = {{{{2}, {6}}, {0}}}, .along = -1, .points = nullptr, .cells = 6};
  const std::vector<std::int32_t> values = {2, 3, 4, 5, 6, 7};
  place_message(share, bytes_of(values), {reinterpret_cast<std::byte*>(array.data() - 1), Type::int32, {4}, {1}, {5}});
  EXPECT_EQ(array, (std::vector<std::int32_t>{3, 4, 5, 6}));
}

TEST(Readers, are_as_many_as_is_configured) {
  std::vector<int> nodes(20, 0);
  std::fill(nodes.begin() + 10, nodes.end(), 1);
  constexpr std::int64_t large = 1 << 30;
  EXPECT_EQ(readers_of(config::Reading::serial, large, nodes, true).ranks, std::vector{0});
  EXPECT_EQ(readers_of(config::Reading::automatic, 1000, nodes, true).ranks, std::vector{0});
  EXPECT_EQ(readers_of(config::Reading::automatic, large, nodes, true).ranks, (std::vector{0, 8, 10, 18}));
  EXPECT_EQ(readers_of(config::Reading::domain, 1000, nodes, true).ranks, (std::vector{0, 8, 10, 18}));
  EXPECT_TRUE(readers_of(config::Reading::independent, 1000, nodes, false).alone);
}

TEST(Readers, share_the_processors_of_their_node) {
  std::vector<int> nodes(20, 0);
  std::fill(nodes.begin() + 16, nodes.end(), 1);
  const auto threads = [&](config::Reading reading, int rank, std::int64_t processors) {
    return threads_to_decode(readers_of(reading, 1 << 30, nodes, false), rank, nodes, processors);
  };
  EXPECT_EQ(threads(config::Reading::domain, 0, 64), 32);
  EXPECT_EQ(threads(config::Reading::domain, 16, 64), 64);
  EXPECT_EQ(threads(config::Reading::serial, 0, 64), 64);
  EXPECT_EQ(threads(config::Reading::serial, 17, 64), 64) << "no reader is there";
  EXPECT_EQ(threads(config::Reading::independent, 3, 64), 4);
  EXPECT_EQ(threads(config::Reading::independent, 3, 2), 1);
}

TEST(Readers, are_all_ranks_where_they_are_few_and_nothing_binds_cells_together) {
  constexpr std::int64_t large = 1 << 30;
  const std::vector<int> few(8, 0), many(9, 0), two_nodes = {0, 0, 1, 1};
  EXPECT_TRUE(readers_of(config::Reading::automatic, large, few, true).alone);
  EXPECT_EQ(readers_of(config::Reading::automatic, large, few, false).ranks, std::vector{0});
  EXPECT_EQ(readers_of(config::Reading::automatic, large, many, true).ranks, (std::vector{0, 8}));
  EXPECT_EQ(readers_of(config::Reading::automatic, large, two_nodes, true).ranks, (std::vector{0, 2}));
  EXPECT_EQ(readers_of(config::Reading::domain, large, few, true).ranks, std::vector{0});
  EXPECT_EQ(readers_of(config::Reading::automatic, 1000, few, true).ranks, std::vector{0});
}

}  // namespace
