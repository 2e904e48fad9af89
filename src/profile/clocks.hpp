// How the clocks of ranks stand to that of the first one. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg::profile {

// A meeting of all ranks, by the clock of one: nobody leaves before all have come.
struct Meeting {
  std::int64_t came_ns = 0;
  std::int64_t left_ns = 0;
};

// Between these lies what the clock of a rank is ahead of that of the first one: it has left after the first one had
// come, and come before the first one left.
struct ClockBounds {
  std::int64_t clock = 0;  // ranks with one number have the same clock
  std::int64_t least_ns = 0;
  std::int64_t most_ns = 0;
};

struct ClockOffset {
  double seconds = 0.0;  // to be added to times of the rank
  double error_s = 0.0;  // at most
};

// own and of_first: the same meetings.
ClockBounds bounds(std::int64_t clock, std::span<const Meeting> own, std::span<const Meeting> of_first);

// Of rank, where all[0] is the first one's; ranks with one clock have one offset, and none if it is the first one's.
ClockOffset offset_of(std::size_t rank, std::span<const ClockBounds> all);

}  // namespace thalweg::profile
