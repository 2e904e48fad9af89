#include "profile/clocks.hpp"

#include <gtest/gtest.h>

namespace thalweg::profile {
namespace {

// The clock of rank 1 is 5000 ns ahead. In each meeting one of both is late.
const std::vector<Meeting> of_first = {{0, 900}, {1000, 1400}, {2000, 2040}};
const std::vector<Meeting> of_other = {{5800, 5950}, {6010, 6420}, {7015, 7060}};

TEST(Clocks, meetings_bound_what_they_are_apart) {
  const ClockBounds found = bounds(2, of_other, of_first);
  EXPECT_EQ(found.least_ns, 4975);
  EXPECT_EQ(found.most_ns, 5060);
  const ClockOffset offset = offset_of(1, std::vector<ClockBounds>{{1, -40, 40}, found});
  EXPECT_NEAR(offset.seconds, -5000e-9, offset.error_s);
  EXPECT_NEAR(offset.error_s, 42.5e-9, 1e-15);
}

TEST(Clocks, ranks_with_one_clock_have_one_offset) {
  const std::vector<ClockBounds> all = {{1, -40, 40}, {2, 4000, 5060}, {2, 4975, 6000}, {1, -900, 200}};
  for (const std::size_t rank : {1UL, 2UL}) {
    EXPECT_NEAR(offset_of(rank, all).seconds, -5017.5e-9, 1e-15);
    EXPECT_NEAR(offset_of(rank, all).error_s, 42.5e-9, 1e-15);
  }
  EXPECT_EQ(offset_of(3, all).seconds, 0.0) << "the clock of the first one";
  EXPECT_EQ(offset_of(3, all).error_s, 0.0);
}

TEST(Clocks, that_drift_apart_between_meetings_are_as_far_apart_as_they_say) {
  const ClockOffset offset = offset_of(1, std::vector<ClockBounds>{{1, 0, 0}, {2, 300, 100}});
  EXPECT_NEAR(offset.seconds, -200e-9, 1e-15);
  EXPECT_NEAR(offset.error_s, 100e-9, 1e-15);
}

}  // namespace
}  // namespace thalweg::profile
