#include "read/selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/box_runs.hpp"
#include "read/windows.hpp"

using namespace thalweg;
using namespace thalweg::read;

namespace {

// The number in the file of each cell of the part, in the order of the part, by the meaning of the words alone.
std::vector<std::int64_t> cells_along(std::int64_t start, std::int64_t count, std::int64_t step, std::int64_t extent) {
  std::vector<std::int64_t> cells;
  for (std::int64_t i = 0; i < count; i += step) cells.push_back((start + i) % extent);
  return cells;
}

struct Case {
  Selection selection;
  std::vector<std::vector<std::int64_t>> cells;  // along each dimension of the file
};

Case any_case(std::mt19937& random) {
  const auto below = [&](std::int64_t bound) { return static_cast<std::int64_t>(random() % bound); };
  Case made;
  Index shape, chunk;
  for (int d = 0; d < 3; ++d) {
    shape.push_back(1 + below(14));
    chunk.push_back(1 + below(6));
  }
  made.selection = Selection::of_all(shape, chunk);
  for (int d = 0; d < 3; ++d) {
    const std::int64_t start = below(shape[d]), step = 1 + below(5);
    const std::int64_t count = 1 + below(shape[d]);
    const bool keeps = below(4) > 0;
    made.selection.is_kept[static_cast<std::size_t>(d)] = keeps;
    made.cells.push_back(cells_along(start, keeps ? count : 1, step, shape[d]));
    made.selection.along[static_cast<std::size_t>(d)] = along_cells(start, keeps ? count : 1, step, shape[d]);
  }
  return made;
}

// The number in the file of a cell of the part.
std::int64_t in_file(const Case& of, const Index& cell) {
  const Index strides = contiguous_strides(of.selection.shape, 1);
  std::int64_t number = 0;
  for (int d = 0; d < cell.rank(); ++d)
    number += strides[d] * of.cells[static_cast<std::size_t>(d)][static_cast<std::size_t>(cell[d])];
  return number;
}

template <typename Use>
void for_each_cell(const Box& box, Use use) {
  Index at = Index::filled(box.rank(), 0);
  for (std::int64_t left = box.cells(); left > 0; --left) {
    Index cell = box.start;
    for (int d = 0; d < box.rank(); ++d) cell[d] += at[d];
    use(cell);
    for (int d = box.rank() - 1; d >= 0 && ++at[d] == box.count[d]; --d) at[d] = 0;
  }
}

// Reads a window's pieces out of a file whose cells have their numbers.
void check_window(const Case& of, const Window& window, std::int64_t most, std::int64_t most_gap) {
  const Index strides = contiguous_strides(of.selection.shape, 1);
  const Box cells = of.selection.with_all_dimensions(window.cells);
  std::vector<int> seen(static_cast<std::size_t>(cells.cells()), 0);
  for (const Piece& piece : pieces_of(of.selection, window.cells, most, most_gap)) {
    EXPECT_EQ(intersect(piece.in_file, whole(of.selection.shape)), piece.in_file);
    EXPECT_LE(piece.in_file.cells(), std::max(most, of.selection.chunk.product()) + (piece.is_dense() ? 100000 : 0));
    EXPECT_EQ(intersect(piece.in_window, whole(cells.count)), piece.in_window);
    for_each_cell(whole(piece.in_window.count), [&](const Index& at) {
      Index in_window = piece.in_window.start, cell = cells.start;
      std::int64_t found = 0;
      for (int d = 0; d < at.rank(); ++d) {
        in_window[d] += at[d];
        cell[d] += in_window[d];
        found += strides[d] * (piece.in_file.start[d] + at[d] * piece.step[d]);
      }
      EXPECT_EQ(found, in_file(of, cell));
      ++seen[static_cast<std::size_t>(offset_of(in_window, contiguous_strides(cells.count, 1)))];
    });
  }
  EXPECT_EQ(std::ranges::count(seen, 1), std::ssize(seen));
}

TEST(Selection, windows_and_pieces_have_every_cell_once) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 400; ++trial) {
    const Case of = any_case(random);
    const Selection& selection = of.selection;
    const Index shape = selection.part_shape();
    Index expected;
    for (std::size_t d = 0; d < 3; ++d)
      if (selection.is_kept[d]) expected.push_back(std::ssize(of.cells[d]));
    ASSERT_EQ(shape, expected);
    const Extents extents{shape, selection.kept_of(selection.chunk), {}, selection.kept()};
    for (const std::int64_t most : {1, 7, 100000}) {
      std::vector<int> seen(static_cast<std::size_t>(shape.product()), 0);
      for (const Window& window : windows_of(extents, most, 2)) {
        for_each_cell(window.cells, [&](const Index& cell) {
          ++seen[static_cast<std::size_t>(offset_of(cell, contiguous_strides(shape, 1)))];
        });
        for (const std::int64_t gap : {0, 3, 1000}) check_window(of, window, most, gap);
      }
      EXPECT_EQ(std::ranges::count(seen, 1), std::ssize(seen));
    }
  }
}

TEST(Selection, windows_end_where_chunks_do) {
  Selection selection = Selection::of_all({40, 30}, {4, 10});
  selection.along = {along_cells(6, 30, 1, 40), along_cells(3, 27, 3, 30)};
  const Extents extents{selection.part_shape(), selection.chunk, {}, selection.kept()};
  for (const Window& window : windows_of(extents, 12, 1)) {
    const std::int64_t first = 6 + window.cells.start[0];
    const std::int64_t stop = 6 + window.cells.stop(0);
    EXPECT_TRUE(first == 6 || first % 4 == 0) << to_string(window.cells);
    EXPECT_TRUE(stop == 36 || stop % 4 == 0) << to_string(window.cells);
  }
}

TEST(Selection, of_a_list_has_whole_rows) {
  Selection selection = Selection::of_all({6, 9}, {1, 1});
  selection.along = {along_cells(1, 4, 1, 6), along_cells(7, 5, 1, 9)};
  const JoinedDimensions joined(0, selection.part_shape());
  for (const Window& window : windows_of({selection.part_shape(), {1, 1}, joined, selection.kept()}, 3, 1)) {
    EXPECT_EQ(window.cells.count[1], 5);
    EXPECT_EQ(window.box.count, Index({5 * window.cells.count[0]}));
    EXPECT_EQ(pieces_of(selection, window.cells, 100, 0).size(), 2U);  // beyond the end, and before it
  }
}

TEST(Selection, reads_a_gap_where_it_is_small) {
  Selection selection = Selection::of_all({100, 10}, {1, 1});
  selection.along[0] = along_cells(0, 100, 10, 100);
  const Box all = whole(selection.part_shape());
  EXPECT_EQ(pieces_of(selection, all, 100000, 90).size(), 1U);
  const std::vector<Piece> pieces = pieces_of(selection, all, 100000, 89);
  ASSERT_EQ(pieces.size(), 10U);
  EXPECT_EQ(pieces[3].in_file, (Box{{30, 0}, {1, 10}}));
  selection.chunk = {11, 10};  // all chunks have wanted cells
  EXPECT_EQ(pieces_of(selection, all, 100000, 89).size(), 1U);
}

TEST(Selection, of_all_is_what_the_file_has) {
  const Selection selection = Selection::of_all({3, 4}, {2, 2});
  EXPECT_EQ(selection.part_shape(), (Index{3, 4}));
  const auto pieces = pieces_of(selection, {{1, 0}, {2, 4}}, 1, 0);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_TRUE(pieces.front().is_dense());
  EXPECT_EQ(pieces.front().in_file, (Box{{1, 0}, {2, 4}}));
}

}  // namespace
