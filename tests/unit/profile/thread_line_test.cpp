#include "profile/thread_line.hpp"

#include <gmock/gmock.h>

#include <random>

namespace thalweg::profile {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

double kept_s(const ThreadLine& line) {
  double sum_s = 0.0;
  for (const LineSpan& span : line.spans()) sum_s += span.counted_s;
  return sum_s;
}

double left_out_s(const ThreadLine& line) {
  double sum_s = 0.0;
  for (const LeftOut& of : line.left_out()) sum_s += of.seconds;
  return sum_s;
}

std::int64_t told(const ThreadLine& line) {
  std::int64_t sum = 0;
  for (const LineSpan& span : line.spans()) sum += span.spans;
  for (const LeftOut& of : line.left_out()) sum += of.spans;
  return sum;
}

TEST(ThreadLine, keeps_each_span_while_there_is_room) {
  ThreadLine line(4);
  for (int k = 0; k < 4; ++k) line.add({"copy", 1.0 * k, 1.0 * k + 0.25});
  ASSERT_THAT(line.spans(), SizeIs(4));
  EXPECT_EQ(line.spans()[3].start_s, 3.0);
  EXPECT_EQ(line.spans()[3].end_s, 3.25);
  EXPECT_EQ(line.grain_s(), 0.0);
  EXPECT_THAT(line.left_out(), SizeIs(0));
}

TEST(ThreadLine, neighbours_of_one_name_become_one_when_it_is_full) {
  ThreadLine line(6);
  constexpr double pause_s = 5e-7;
  for (const double start_s : {0.0, 1.0, 2.0}) line.add({"write", start_s + pause_s, start_s + 1.0});
  line.add({"sync", 3.0, 4.0});
  for (const double start_s : {4.0, 5.0}) line.add({"write", start_s + pause_s, start_s + 1.0});
  line.add({"write", 8.0, 9.0});
  std::vector<std::int64_t> spans;
  for (const LineSpan& span : line.spans()) spans.push_back(span.spans);
  EXPECT_THAT(spans, ElementsAre(3, 1, 2, 1));
  EXPECT_EQ(line.spans()[0].end_s, 3.0);
  EXPECT_NEAR(line.spans()[0].counted_s, 3.0 - 3 * pause_s, 1e-12);
  EXPECT_EQ(line.grain_s(), 1e-6);
}

TEST(ThreadLine, of_too_many_the_long_ones_stay_over_the_whole_run) {
  constexpr std::size_t most = 64;
  ThreadLine line(most);
  double sum_s = 0.0;
  for (int k = 0; k < 10'000; ++k) {
    const bool is_long = k % 1000 == 0;
    const double start_s = 1.0 * k;
    const Span span{k % 2 == 0 ? "write" : "commit", start_s, start_s + (is_long ? 0.5 : 1e-5 * (1 + k % 7))};
    sum_s += span.end_s - span.start_s;
    line.add(span);
    ASSERT_LE(line.spans().size(), most);
  }
  EXPECT_EQ(told(line), 10'000);
  EXPECT_NEAR(kept_s(line) + left_out_s(line), sum_s, 1e-9);
  std::vector<double> starts;
  for (const LineSpan& span : line.spans())
    if (span.length_s() > 0.4) starts.push_back(span.start_s);
  EXPECT_THAT(starts, ElementsAre(0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000));
  EXPECT_GT(line.grain_s(), 0.0);
  EXPECT_LT(line.grain_s(), 0.5);
}

TEST(ThreadLine, short_ones_without_a_pause_stay_as_one) {
  ThreadLine line(64);
  constexpr double step_s = 1e-6;
  for (int k = 0; k < 100'000; ++k) line.add({"copy", step_s * k, step_s * (k + 0.9)});
  EXPECT_EQ(told(line), 100'000);
  EXPECT_NEAR(kept_s(line) + left_out_s(line), 0.09, 1e-9);
  EXPECT_LT(left_out_s(line), 0.01);
  ASSERT_THAT(line.spans(), testing::Not(SizeIs(0)));
  EXPECT_NEAR(line.spans().back().end_s, 0.1, 1e-5);
  EXPECT_GT(line.spans().back().length_s(), line.spans().back().counted_s);
}

TEST(ThreadLine, any_order_and_any_lengths_are_counted_once) {
  std::mt19937 random(7);
  std::exponential_distribution<double> length(1e4);
  for (const std::size_t most : {1UL, 2UL, 3UL, 17UL, 1000UL}) {
    ThreadLine line(most);
    double sum_s = 0.0, at_s = 0.0;
    for (int k = 0; k < 5000; ++k) {
      static constexpr const char* names[] = {"copy", "wait_block", "metadata"};
      const double end_s = at_s + length(random);
      line.add({names[random() % 3], at_s, end_s});
      sum_s += end_s - at_s;
      at_s = end_s + (random() % 2 == 0 ? 0.0 : length(random));
    }
    EXPECT_LE(line.spans().size(), most);
    EXPECT_EQ(told(line), 5000);
    EXPECT_NEAR(kept_s(line) + left_out_s(line), sum_s, 1e-9) << most;
    line.reduce_to(most / 3);
    EXPECT_LE(line.spans().size(), most / 3);
    EXPECT_EQ(told(line), 5000);
    EXPECT_NEAR(kept_s(line) + left_out_s(line), sum_s, 1e-9) << most;
  }
}

TEST(ThreadLine, what_becomes_one_is_of_the_records_of_all) {
  ThreadLine line(6);
  const char* history = kept_word("history");
  for (int k = 0; k < 3; ++k) line.add({"write", 1.0 * k, k + 1.0, {history, k + 4, k + 4}});
  line.add({"write", 3.0, 4.0, {history, -1, -1}});
  line.add({"sync", 5.0, 6.0, {history, 1, 2}});
  line.add({"sync", 6.0, 7.0, {kept_word("daily"), 1, 1}});
  line.add({"copy", 8.0, 9.0, {history, 9, 9}});
  ASSERT_THAT(line.spans(), SizeIs(3));
  EXPECT_EQ(line.spans()[0].subject.collection, history);
  EXPECT_EQ(line.spans()[0].subject.first_record, -1) << "one of them was of none";
  EXPECT_EQ(line.spans()[1].subject.collection, nullptr) << "of two collections";
  EXPECT_EQ(line.spans()[2].subject.last_record, 9);
}

TEST(ThreadLine, what_ended_before_a_session_is_not_its) {
  ThreadLine line(8);
  line.add({"write", 0.0, 1.0});
  line.add({"write", 2.0, 4.0});
  line.forget_before(3.0);
  ASSERT_THAT(line.spans(), SizeIs(1));
  EXPECT_EQ(line.spans()[0].start_s, 2.0);
}

TEST(NestedSpans, one_that_overlaps_begins_later) {
  const auto span = [](double start_s, double end_s) { return LineSpan{"x", start_s, end_s, end_s - start_s, 1}; };
  const std::vector<LineSpan> made =
      nested({span(2, 3), span(1, 4), span(0, 10), span(3.5, 6), span(9, 12), span(11, 12)});
  std::vector<std::pair<double, double>> found;
  for (const LineSpan& one : made) found.emplace_back(one.start_s, one.end_s);
  using P = std::pair<double, double>;
  EXPECT_THAT(found, ElementsAre(P(0, 10), P(1, 4), P(2, 3), P(4, 6), P(10, 12), P(11, 12)));
  EXPECT_EQ(made[3].counted_s, 2.5);
}

}  // namespace
}  // namespace thalweg::profile
