// The rows beyond the northern fold, against its definition cell by cell.
#include "read/fold.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "read/needs.hpp"
#include "read/placing.hpp"

using namespace thalweg;
using namespace thalweg::read;

namespace {

constexpr std::int64_t fold_rows = 5, fold_columns = 8;
constexpr double fill = 1e20, untouched = -1.0;

double value_of(std::int64_t row, std::int64_t column) {
  return 1.0 + static_cast<double>(100 * row + column);
}

struct Source {
  std::int64_t row, column;
};

// Row k beyond the last one (J), in column i of n: as the manual of NEMO has it, T before U, V and F.
Source folded(const std::string& words, std::int64_t k, std::int64_t i) {
  constexpr std::int64_t J = fold_rows - 1, n = fold_columns;
  const std::map<std::string, Source> sources = {{"T T", {J - k, n - i}},         {"T U", {J - k, n - 1 - i}},
                                                 {"T V", {J - 1 - k, n - i}},     {"T F", {J - 1 - k, n - 1 - i}},
                                                 {"F T", {J + 1 - k, n - 1 - i}}, {"F U", {J + 1 - k, n - 2 - i}},
                                                 {"F V", {J - k, n - 1 - i}},     {"F F", {J - k, n - 2 - i}}};
  return sources.at(words);
}

Ends ends_of(const std::string& words) {
  Ends ends{{false, true}, fold_of("fold " + words, "here")};
  ends.fold->mirror.rows = 0;
  ends.fold->mirror.columns = 1;
  return ends;
}

std::vector<double> placed(const HaloBox& of, const Ends& ends, std::int64_t most_rows) {
  std::vector<double> file(fold_rows * fold_columns);
  for (std::int64_t row = 0; row < fold_rows; ++row)
    for (std::int64_t column = 0; column < fold_columns; ++column)
      file[static_cast<std::size_t>(row * fold_columns + column)] =
          row == 3 && column == 2 ? fill : value_of(row, column);
  Wanted wanted;
  wanted.needs = needs_of(of, {fold_rows, fold_columns}, ends);
  const Index count{of.box.count[0] + of.low[0] + of.high[0], of.box.count[1] + of.low[1] + of.high[1]};
  std::vector<double> array(static_cast<std::size_t>(count.product()), untouched);
  const Target target{reinterpret_cast<std::byte*>(array.data()),
                      Type::float64,
                      contiguous_strides(count, 8),
                      {0, 0},
                      count,
                      {element_of(fill)}};
  for (std::int64_t row = 0; row < fold_rows; row += most_rows) {
    const Box box{{row, 0}, {std::min(most_rows, fold_rows - row), fold_columns}};
    const auto share = share_of(wanted, 0, {0, box, box}, Side::getter);
    const std::span window = std::span(file).subspan(static_cast<std::size_t>(row * fold_columns));
    if (!share) continue;
    if (most_rows == fold_rows) {
      place_window(*share, {std::as_bytes(window)}, target);
    } else {
      std::vector<std::byte> message(static_cast<std::size_t>(share->cells) * 8);
      pack(*share, Type::float64, {std::as_bytes(window)}, message);
      place_message(*share, message, target);
    }
  }
  return array;
}

std::vector<double> expected(const HaloBox& of, const std::string& words, double sign) {
  std::vector<double> array;
  for (std::int64_t y = of.box.start[0] - of.low[0]; y < of.box.stop(0) + of.high[0]; ++y)
    for (std::int64_t x = of.box.start[1] - of.low[1]; x < of.box.stop(1) + of.high[1]; ++x) {
      Source from{y, x};
      if (y >= fold_rows) from = folded(words, y - (fold_rows - 1), x);
      from.column = (from.column + 4 * fold_columns) % fold_columns;
      const bool is_nothing = from.row < 0;
      const bool is_fill = from.row == 3 && from.column == 2;
      const double value = is_fill ? fill : value_of(from.row, from.column) * (y >= fold_rows ? sign : 1.0);
      array.push_back(is_nothing ? untouched : value);
    }
  return array;
}

TEST(Fold, rows_beyond_the_last_one_lie_the_other_way_round) {
  const std::vector<HaloBox> boxes = {{{{0, 0}, {5, 8}}, {0, 2}, {2, 2}},  {{{3, 5}, {2, 3}}, {1, 1}, {3, 2}},
                                      {{{2, 0}, {2, 3}}, {2, 3}, {3, 0}},  {{{1, 1}, {2, 2}}, {1, 1}, {1, 1}},
                                      {{{4, 2}, {1, 1}}, {0, 9}, {1, 10}}, {{{0, 0}, {5, 8}}, {0, 0}, {0, 0}}};
  for (const char* words : {"T T", "T U", "T V", "T F", "F T", "F U", "F V", "F F"})
    for (const HaloBox& box : boxes)
      for (const std::int64_t most_rows : {fold_rows, std::int64_t{2}}) {
        EXPECT_EQ(placed(box, ends_of(words), most_rows), expected(box, words, 1.0)) << words;
        EXPECT_EQ(placed(box, ends_of(std::string(words) + " -1"), most_rows), expected(box, words, -1.0)) << words;
      }
}

TEST(Fold, what_lies_beyond_the_first_row_again_is_nothing) {
  const HaloBox tall{{{4, 0}, {1, 8}}, {0, 0}, {7, 0}};
  EXPECT_EQ(placed(tall, ends_of("T V"), fold_rows), expected(tall, "T V", 1.0));
}

TEST(Fold, signs_of_integers_change_too) {
  std::vector<std::int16_t> array(2, 7), file{5, -32768};
  const Target target{reinterpret_cast<std::byte*>(array.data()), Type::int16, {4, 2}, {0, 0}, {1, 2}};
  const Share share{.window = {{0, 0}, {1, 2}}, .needs = {{{{0, 0}, {1, 2}}, {0, 1}, {0, 1, true}}}};
  place_window(share, {std::as_bytes(std::span(file))}, target);
  EXPECT_EQ(array, (std::vector<std::int16_t>{-32768, -5}));
}

TEST(Fold, words_that_are_none_are_refused) {
  for (const char* words : {"", "fold", "fold T", "fold X T", "fold T W", "fold T T 2", "fold T T -1 x", "folds T T"})
    EXPECT_THROW(fold_of(words, "here"), Error) << words;
}

}  // namespace
