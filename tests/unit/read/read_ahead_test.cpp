#include "read/read_ahead.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>
#include <thread>

#include "error_of.hpp"

namespace thalweg::read {
namespace {

// Only its address counts.
FileReader* file(int number) {
  static std::array<char, 8> places{};
  return reinterpret_cast<FileReader*>(&places[static_cast<std::size_t>(number)]);
}

Box window(std::int64_t start) {
  return {{start}, {2}};
}

// Each cell has the value of its place.
std::endian read_places(const Box& cells, std::vector<std::byte>& values) {
  for (std::int64_t i = 0; i < cells.cells(); ++i) values.push_back(static_cast<std::byte>(cells.start[0] + i));
  return std::endian::big;
}

TEST(ReadAhead, gives_each_window_once_in_any_order) {
  ReadAhead ahead;
  const RecordOf record{file(0), 3, 7};
  ahead.ask(record, {window(0), window(2), window(4)}, read_places);
  for (const std::int64_t start : {4, 0}) {
    const auto read = ahead.take(record, window(start));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->values, (std::vector<std::byte>{std::byte(start), std::byte(start + 1)}));
    EXPECT_EQ(read->order, std::endian::big);
    EXPECT_FALSE(ahead.take(record, window(start)));
  }
  EXPECT_FALSE(ahead.take({file(0), 3, 8}, window(2)));
  EXPECT_FALSE(ahead.take({file(1), 3, 7}, window(2)));
  EXPECT_TRUE(ahead.take(record, window(2)));
}

TEST(ReadAhead, reads_before_it_is_asked_for_by_a_thread_of_its_own) {
  ReadAhead ahead;
  std::promise<std::thread::id> reader;
  ahead.ask({file(0), 0, 0}, {window(0)}, [&](const Box& cells, std::vector<std::byte>& values) {
    reader.set_value(std::this_thread::get_id());
    return read_places(cells, values);
  });
  EXPECT_NE(reader.get_future().get(), std::this_thread::get_id());
  EXPECT_TRUE(ahead.take({file(0), 0, 0}, window(0)));
}

TEST(ReadAhead, throws_what_a_window_has_met_where_it_is_taken) {
  ReadAhead ahead;
  ahead.ask({file(0), 0, 0}, {window(0), window(2)}, [](const Box& cells, std::vector<std::byte>& values) {
    if (cells.start[0] == 0) fail(THALWEG_ERROR_STORAGE, "cut short");
    return read_places(cells, values);
  });
  EXPECT_EQ(error_of(THALWEG_ERROR_STORAGE, [&] { ahead.take({file(0), 0, 0}, window(0)); }), "cut short");
  EXPECT_TRUE(ahead.take({file(0), 0, 0}, window(2)));
}

TEST(ReadAhead, gives_up_what_nobody_wants_any_more) {
  ReadAhead ahead;
  std::promise<void> begun, goes_on;
  auto may_go_on = goes_on.get_future().share();
  const auto slowly = [&](const Box& cells, std::vector<std::byte>& values) {
    if (cells.start[0] == 0) {
      begun.set_value();
      may_go_on.wait();
    }
    return read_places(cells, values);
  };
  ahead.ask({file(0), 0, 0}, {window(0), window(2)}, slowly);
  ahead.ask({file(1), 0, 0}, {window(2)}, read_places);
  begun.get_future().wait();
  auto forgotten = std::async(std::launch::async, [&] { ahead.forget(*file(0)); });
  goes_on.set_value();
  forgotten.get();
  EXPECT_FALSE(ahead.take({file(0), 0, 0}, window(2)));
  EXPECT_TRUE(ahead.take({file(1), 0, 0}, window(2)));
  // Another record of the variable takes the place of one that was not taken.
  ahead.ask({file(1), 0, 1}, {window(0)}, read_places);
  ahead.ask({file(1), 0, 2}, {window(0)}, read_places);
  EXPECT_FALSE(ahead.take({file(1), 0, 1}, window(0)));
  EXPECT_TRUE(ahead.take({file(1), 0, 2}, window(0)));
}

TEST(ReadAhead, ends_with_windows_that_nobody_took) {
  std::atomic<int> reads = 0;
  {
    ReadAhead ahead;
    ahead.ask({file(0), 0, 0}, {window(0), window(2)}, [&](const Box& cells, std::vector<std::byte>& values) {
      ++reads;
      return read_places(cells, values);
    });
    ahead.take({file(0), 0, 0}, window(0));
  }
  EXPECT_GE(reads, 1);
}

}  // namespace
}  // namespace thalweg::read
