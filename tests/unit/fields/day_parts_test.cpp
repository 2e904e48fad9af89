#include "fields/day_parts.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace thalweg::fields {
namespace {

constexpr double hour = 3600.0;

std::vector<double> span_of(const DayParts& parts, int part, double begin_h, double end_h) {
  const DayParts::Span span = parts.within(part, begin_h * hour, end_h * hour);
  return {span.begin_s / hour, span.end_s / hour};
}

TEST(DayParts, have_the_times_of_each_day) {
  const DayParts parts(4, {});
  for (const double day_s : {0.0, 86400.0, -3 * 86400.0}) {
    EXPECT_EQ(parts.part_at(day_s), 0);
    EXPECT_EQ(parts.part_at(day_s + 5.9 * hour), 0);
    EXPECT_EQ(parts.part_at(day_s + 6 * hour), 1);
    EXPECT_EQ(parts.part_at(day_s + 6 * hour - 1e-8), 1) << "times are sums of steps";
    EXPECT_EQ(parts.part_at(day_s + 24 * hour - 1.0), 3);
    EXPECT_EQ(parts.part_at(day_s + 24 * hour - 1e-8), 0);
  }
}

TEST(DayParts, count_from_midnight_and_not_from_the_reference_date) {
  const DayParts parts(24, {.year = 1900, .hour = 18, .minute = 30});
  EXPECT_EQ(parts.part_at(0.0), 18);
  EXPECT_EQ(parts.part_at(0.5 * hour), 19);
  EXPECT_EQ(parts.part_at(5.5 * hour), 0);
  EXPECT_EQ(span_of(parts, 18, 0, 24), (std::vector<double>{-0.5, 24.5}));
  EXPECT_EQ(span_of(parts, 0, 0, 24), (std::vector<double>{5.5, 6.5}));
}

TEST(DayParts, of_an_interval_are_those_of_its_first_and_its_last_day) {
  const DayParts parts(4, {});
  EXPECT_EQ(span_of(parts, 0, 0, 48), (std::vector<double>{0, 30}));
  EXPECT_EQ(span_of(parts, 3, 0, 48), (std::vector<double>{18, 48}));
  EXPECT_EQ(span_of(parts, 1, 6, 30), (std::vector<double>{6, 12}));
  EXPECT_EQ(span_of(parts, 1, 12, 54), (std::vector<double>{30, 36})) << "one that only touches it is not in it";
  EXPECT_EQ(span_of(parts, 1, 11, 55), (std::vector<double>{6, 60}));
  EXPECT_EQ(span_of(parts, 0, 7, 8), (std::vector<double>{24, 30})) << "not in it at all";
}

}  // namespace
}  // namespace thalweg::fields
