#include "profile/memory.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace thalweg::profile {
namespace {

TEST(MemoryHighWater, is_in_the_text_that_linux_has_of_a_process) {
  EXPECT_EQ(high_water_in("Name:\tmodel\nVmPeak:\t  9000 kB\nVmHWM:\t    5120 kB\nVmRSS:\t 1 kB\n"), 5120 * 1024);
  EXPECT_EQ(high_water_in("Name:\tVmHWM: 1 kB\n"), std::nullopt);
  for (const char* text : {"", "\nVmHWM:", "\nVmHWM:\t", "\nVmHWM:\tmany kB", "\nVmHWM:\t5120 MB"})
    EXPECT_EQ(high_water_in(text), std::nullopt) << text;
}

TEST(MemoryHighWater, rises_with_pages_that_are_touched_and_stays) {
  constexpr std::int64_t bytes = std::int64_t{64} << 20;
  const std::int64_t before = memory_high_water();
  {
    std::vector<char> touched(static_cast<std::size_t>(bytes), 'x');
    EXPECT_EQ(touched.back(), 'x');
  }
  // What was free before may be used again; much more than this process has otherwise is not.
  EXPECT_GE(memory_high_water(), bytes);
  EXPECT_GE(memory_high_water(), before);
}

}  // namespace
}  // namespace thalweg::profile
