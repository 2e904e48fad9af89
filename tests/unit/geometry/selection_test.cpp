// What is selected, against indices that are written out.
#include "geometry/selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace thalweg::geometry {
namespace {

using ::testing::ElementsAre;
using Indices = std::vector<std::int64_t>;

std::int64_t drawn(std::mt19937& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

Indices written_out(const Selection& selection) {
  Indices all;
  for (std::int64_t place = 0; place < selection.count(); ++place) all.push_back(selection[place]);
  return all;
}

// Some of so many indices, at least one: a range, a list, or a list whose end comes first.
Indices some_of(std::mt19937& random, std::int64_t size) {
  Indices all;
  const std::int64_t kind = drawn(random, 0, 2), step = drawn(random, 1, 3);
  if (kind == 0)
    for (std::int64_t i = drawn(random, 0, size - 1); i < size; i += step) all.push_back(i);
  for (std::int64_t i = 0; kind > 0 && i < size; ++i)
    if (drawn(random, 0, 2) > 0) all.push_back(i);
  if (all.empty()) all.push_back(0);
  if (kind == 2) std::ranges::rotate(all, all.begin() + drawn(random, 0, std::ssize(all) - 1));
  return all;
}

TEST(Selection, has_the_indices_it_was_made_of) {
  EXPECT_THAT(written_out(Selection({{3, 2, 4}})), ElementsAre(3, 5, 7, 9));
  EXPECT_THAT(written_out(Selection::all(3)), ElementsAre(0, 1, 2));
  EXPECT_TRUE(Selection().is_empty());
  EXPECT_EQ(Selection::of(Indices{0, 3, 6, 7}), Selection({{0, 3, 3}, {7, 1, 1}}));
  std::mt19937 random(1);
  for (int time = 0; time < 200; ++time) {
    const Indices indices = some_of(random, drawn(random, 1, 20));
    const Selection selection = Selection::of(indices);
    EXPECT_EQ(written_out(selection), indices);
    for (std::int64_t index = -1; index < 22; ++index) {
      const auto found = std::ranges::find(indices, index);
      EXPECT_EQ(selection.place_of(index),
                found == indices.end() ? std::nullopt : std::optional<std::int64_t>(found - indices.begin()));
    }
  }
}

TEST(Selection, of_a_stretch_has_each_index_once_and_in_its_place) {
  std::mt19937 random(2);
  for (int time = 0; time < 500; ++time) {
    const std::int64_t size = drawn(random, 1, 20), start = drawn(random, 0, size - 1);
    const std::int64_t count = drawn(random, 0, size - start);
    const Indices indices = some_of(random, size);
    std::map<std::int64_t, std::int64_t> at;  // place → index
    std::int64_t reached = -1;
    for (const SelectedPart& part : parts_within(Selection::of(indices), start, count)) {
      EXPECT_GT(part.place, reached) << "parts that meet are one";
      for (std::int64_t i = 0; i < part.within.count(); ++i) at[part.place + i] = start + part.within[i];
      reached = part.place + part.within.count();
    }
    std::map<std::int64_t, std::int64_t> wanted;
    for (std::int64_t place = 0; place < std::ssize(indices); ++place) {
      const std::int64_t index = indices[static_cast<std::size_t>(place)];
      if (index >= start && index < start + count) wanted[place] = index;
    }
    EXPECT_EQ(at, wanted);
  }
}

TEST(Selection, of_boxes_covers_the_result_once) {
  std::mt19937 random(3);
  for (int time = 0; time < 200; ++time) {
    const Index shape{drawn(random, 1, 9), drawn(random, 1, 9)};
    const std::vector<Selection> selections = {Selection::of(some_of(random, shape[0])),
                                               Selection::of(some_of(random, shape[1]))};
    const std::int64_t rows = drawn(random, 0, shape[0]), columns = drawn(random, 0, shape[1]);
    const std::vector<Box> boxes = {{{0, 0}, {rows, columns}},
                                    {{0, columns}, {rows, shape[1] - columns}},
                                    {{rows, 0}, {shape[0] - rows, shape[1]}}};
    Decomposition whole{{"y", "x"}, shape, boxes, {1, 1}, {0, 2}, false, nullptr};
    const Decomposition part = selected_of(whole, selections, {"b", "a"});
    EXPECT_THAT(part.dimensions, ElementsAre("b", "a"));
    EXPECT_EQ(part.shape, (Index{selections[0].count(), selections[1].count()}));
    EXPECT_EQ(part.halo_low, (Index{0, 0}));
    std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::int64_t, std::int64_t>> cells;
    std::size_t number = 0;
    for (const Box& box : boxes)
      for (const SelectedBox& each : selected_of(box, selections)) {
        ASSERT_LT(number, part.boxes.size());
        EXPECT_EQ(each.box, part.boxes[number++]);
        for (std::int64_t y = 0; y < each.box.count[0]; ++y)
          for (std::int64_t x = 0; x < each.box.count[1]; ++x)
            EXPECT_TRUE(cells
                            .emplace(std::pair(each.box.start[0] + y, each.box.start[1] + x),
                                     std::pair(box.start[0] + each.within[0][y], box.start[1] + each.within[1][x]))
                            .second);
      }
    EXPECT_EQ(number, part.boxes.size());
    EXPECT_EQ(std::ssize(cells), part.shape.product());
    for (const auto& [at, from] : cells) {
      EXPECT_EQ(from.first, selections[0][at.first]);
      EXPECT_EQ(from.second, selections[1][at.second]);
    }
  }
}

TEST(Selection, of_an_index_list_leaves_its_points_in_their_local_places) {
  std::mt19937 random(4);
  for (int time = 0; time < 200; ++time) {
    const Index sizes{drawn(random, 1, 6), drawn(random, 1, 6)};
    Indices listed;
    for (std::int64_t point = 0; point < sizes.product(); ++point)
      if (drawn(random, 0, 2) > 0) listed.push_back(point);
    std::ranges::shuffle(listed, random);
    const IndexList list = index_list("y,x", sizes, listed, 0, config::Owner::error);
    const std::vector<Selection> selections = {Selection::of(some_of(random, sizes[0])),
                                               Selection::of(some_of(random, sizes[1]))};
    const IndexList part = selected_of(list, sizes, selections);
    EXPECT_EQ(part.count, list.count);
    std::map<std::int64_t, std::int64_t> found, wanted;  // point of the result → local place
    std::int64_t reached = -1;
    for (const IndexRun& run : part.runs) {
      EXPECT_GE(run.global, reached);
      for (std::int64_t i = 0; i < run.length; ++i) found[run.global + i] = run.local + i;
      reached = run.stop();
    }
    for (std::int64_t y = 0; y < selections[0].count(); ++y)
      for (std::int64_t x = 0; x < selections[1].count(); ++x) {
        const auto at = std::ranges::find(listed, selections[0][y] * sizes[1] + selections[1][x]);
        if (at != listed.end()) wanted[y * selections[1].count() + x] = at - listed.begin();
      }
    EXPECT_EQ(found, wanted);
  }
}

TEST(Selection, of_a_decomposition_by_points_has_no_box_where_it_has_no_point) {
  const auto part_of_points = [](const Indices& listed) {
    const auto list = std::make_shared<const IndexList>(index_list("cell", {8}, listed, 0, config::Owner::error));
    const Decomposition whole{{"cell"}, {8}, {{{0}, {list->count}}}, {0}, {0}, true, list, list, {8}};
    return selected_of(whole, std::vector{Selection({{2, 1, 3}})}, {"cell"});
  };
  const Decomposition some = part_of_points({7, 3, 2});
  EXPECT_EQ(some.shape, (Index{3}));
  EXPECT_TRUE(some.masked);
  EXPECT_THAT(some.boxes, ElementsAre(Box{{0}, {3}}));
  EXPECT_THAT(some.list->runs, ElementsAre(IndexRun{2, 0, 1}, IndexRun{1, 1, 1}));
  EXPECT_TRUE(part_of_points({7, 0}).boxes.empty());
}

}  // namespace
}  // namespace thalweg::geometry
