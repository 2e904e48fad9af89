#include "transform/out_of_range.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "base/quiet_arithmetic.hpp"
#include "transform/copy_runs.hpp"

namespace thalweg::transform {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<float>::max();

const std::byte* bytes_of(const std::vector<double>& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}

BoxCopy rows_of(std::int64_t rows, std::int64_t columns, std::int64_t allocated) {
  return {{rows, columns}, {8 * allocated, 8}, {4 * columns, 4}, Type::float64, Type::float32, false};
}

// As many infinities as the copy makes of finite values.
std::int64_t made_infinite(const std::vector<double>& values) {
  std::int64_t count = 0;
  for (const double value : values) count += std::isfinite(value) && !std::isfinite(static_cast<float>(value)) ? 1 : 0;
  return count;
}

TEST(OutOfRange, counts_what_the_copy_makes_infinite) {
  const double half = std::ldexp(1.0, 103);  // of the last bit of the largest float32
  const std::vector<double> values = {
      1.0,    largest, std::nextafter(largest + half, 0.0), largest + half, -1e300, infinity, -infinity, std::nan(""),
      5e-324, 1e39};
  EXPECT_EQ(made_infinite(values), 3);
  EXPECT_EQ(count_out_of_range(rows_of(2, 5, 5), bytes_of(values)), 3);
  EXPECT_EQ(count_out_of_range(rows_of(2, 4, 5), bytes_of(values)), 1) << "the last column is halo";
}

TEST(OutOfRange, counts_points_of_runs) {
  std::vector<double> values(12, 1e39);
  values[5] = 1.0;
  const std::vector<PointRun> of_points = {{1, 0, 2}, {5, 2, 3}};
  const PointRuns runs(of_points);
  const BoxCopy copy{{5, 1}, {8, 96}, {4, 4}, Type::float64, Type::float32, false};
  EXPECT_EQ(count_out_of_range(copy, 0, runs, bytes_of(values)), 4);
}

TEST(OverflowWatch, sees_what_overflows_and_leaves_no_flag) {
  const std::vector<double> values = {1.0, 1e39, 2.0, 3.0};
  std::vector<float> copied(4);
  const auto copy = [&](std::int64_t columns) {
    return copy_box(rows_of(1, columns, 4), bytes_of(values), reinterpret_cast<std::byte*>(copied.data()));
  };
  std::feclearexcept(FE_ALL_EXCEPT);
  for (const bool was_raised : {false, true}) {
    if (was_raised) std::feraiseexcept(FE_OVERFLOW);
    {
      const OverflowWatch watch;
      copy(1);
      EXPECT_FALSE(watch.overflowed());
      copy(4);
      EXPECT_TRUE(watch.overflowed());
    }
    EXPECT_EQ(std::fetestexcept(FE_OVERFLOW) != 0, was_raised);
  }
  std::feclearexcept(FE_ALL_EXCEPT);
  EXPECT_EQ(copied[1], std::numeric_limits<float>::infinity());
}

TEST(WithoutTraps, nothing_traps_here_and_in_threads_that_begin) {
  feenableexcept(FE_OVERFLOW | FE_INVALID | FE_DIVBYZERO);
  {
    const WithoutTraps without_traps;
    volatile double zero = 0.0;
    volatile double result = 1.0 / zero;
    std::thread([&] { result = zero / zero; }).join();
    EXPECT_TRUE(std::isnan(result));
  }
  EXPECT_EQ(fegetexcept(), FE_OVERFLOW | FE_INVALID | FE_DIVBYZERO);
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT), 0);
  fedisableexcept(FE_ALL_EXCEPT);
}

}  // namespace
}  // namespace thalweg::transform
