// copy_runs against one element after another, over random runs, shapes, strides and types.
#include "transform/copy_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "transform/kernel_table.hpp"

namespace thalweg::transform {
namespace {

using Random = std::mt19937_64;
constexpr std::byte untouched{0xA5};

std::int64_t draw(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

// Runs of `mean` points: the source in random order, the target ascending with gaps.
std::vector<PointRun> random_runs(Random& random, std::int64_t mean, std::int64_t points) {
  std::vector<PointRun> runs;
  std::int64_t target = draw(random, 0, 3);
  for (std::int64_t left = points; left > 0;) {
    const std::int64_t length = std::min(left, draw(random, 1, 2 * mean - 1));
    runs.push_back({0, target, length});
    target += length + draw(random, 0, 2);
    left -= length;
  }
  std::vector<std::size_t> order(runs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  std::int64_t source = 0;
  for (const std::size_t i : order) {
    runs[i].source = source;
    source += runs[i].length + draw(random, 0, 1);
  }
  return runs;
}

std::int64_t source_extent(const std::vector<PointRun>& runs) {
  std::int64_t extent = 0;
  for (const PointRun& run : runs) extent = std::max(extent, run.source + run.length);
  return extent;
}
std::int64_t target_extent(const std::vector<PointRun>& runs) {
  std::int64_t extent = 0;
  for (const PointRun& run : runs) extent = std::max(extent, run.target + run.length);
  return extent;
}

// Strides of an array whose dimensions are nested in this order, the last fastest.
Index nested(const Index& count, const std::vector<int>& order, std::int64_t element_bytes, std::int64_t padding) {
  Index stride = Index::filled(count.rank(), 0);
  std::int64_t bytes = element_bytes;
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    stride[*d] = bytes;
    bytes *= count[*d] + padding;
  }
  return stride;
}

struct Case {
  BoxCopy copy;
  int along = 0;
  std::vector<PointRun> runs;
  std::vector<std::byte> source;
  std::int64_t first = 0;  // of the source: where its point 0 is
  std::int64_t target_bytes = 0;
};

const std::vector<std::pair<Type, Type>> type_pairs = {{Type::float64, Type::float32}, {Type::float32, Type::float64},
                                                       {Type::float32, Type::float32}, {Type::float64, Type::float64},
                                                       {Type::int16, Type::int16},     {Type::uint8, Type::uint8}};

Case random_case(Random& random, std::int64_t mean, std::int64_t points) {
  Case c;
  const auto [source_type, target_type] = type_pairs[static_cast<std::size_t>(draw(random, 0, 5))];
  c.copy.source_type = source_type;
  c.copy.target_type = target_type;
  c.copy.big_endian = draw(random, 0, 1) != 0;
  c.runs = random_runs(random, mean, points);
  const int rank = static_cast<int>(draw(random, 1, 3));
  c.along = static_cast<int>(draw(random, 0, rank - 1));
  Index source_shape, target_shape;
  std::vector<int> order;
  for (int d = 0; d < rank; ++d) {
    const std::int64_t extent = draw(random, 1, 7);
    c.copy.count.push_back(d == c.along ? -1 : extent);  // not looked at
    source_shape.push_back(d == c.along ? source_extent(c.runs) : extent);
    target_shape.push_back(d == c.along ? target_extent(c.runs) : extent);
    order.push_back(d);
  }
  const auto bytes_of = [](Type type) { return static_cast<std::int64_t>(size_of(type)); };
  c.copy.target_stride = nested(target_shape, order, bytes_of(target_type), draw(random, 0, 1));
  if (draw(random, 0, 1) != 0) std::shuffle(order.begin(), order.end(), random);
  c.copy.source_stride = nested(source_shape, order, bytes_of(source_type), draw(random, 0, 1));
  std::int64_t source_bytes = bytes_of(source_type);
  c.target_bytes = bytes_of(target_type);
  for (int d = 0; d < rank; ++d) {
    source_bytes += (source_shape[d] - 1) * c.copy.source_stride[d];
    c.target_bytes += (target_shape[d] - 1) * c.copy.target_stride[d];
  }
  for (int d = 0; d < rank; ++d)
    if (draw(random, 0, 4) == 0) {
      c.first += (source_shape[d] - 1) * c.copy.source_stride[d];
      c.copy.source_stride[d] = -c.copy.source_stride[d];
    }
  for (std::int64_t i = 0; i < source_bytes; ++i) c.source.push_back(static_cast<std::byte>(random()));
  return c;
}

// Every point by itself, through copy_box, which has tests of its own.
std::uint64_t reference(const Case& c, const std::byte* source, std::byte* target) {
  BoxCopy point = c.copy;
  point.count[c.along] = 1;
  std::uint64_t sum = 0;
  for (const PointRun& run : c.runs)
    for (std::int64_t i = 0; i < run.length; ++i)
      sum +=
          copy_box(generic_kernels(), Stores::cached, point, source + (run.source + i) * c.copy.source_stride[c.along],
                   target + (run.target + i) * c.copy.target_stride[c.along]);
  return sum;
}

void expect_as_reference(const Case& c, const Kernels& kernels, int offset_bits) {
  std::vector<std::byte> wanted(static_cast<std::size_t>(c.target_bytes), untouched), found = wanted;
  const std::uint64_t wanted_sum = reference(c, c.source.data() + c.first, wanted.data());
  const PointRuns runs(c.runs, offset_bits);
  EXPECT_EQ(copy_runs(kernels, c.copy, c.along, runs, c.source.data() + c.first, found.data()), wanted_sum);
  EXPECT_TRUE(found == wanted) << kernels.name;
}

class CopyRuns : public testing::TestWithParam<std::int64_t> {};

TEST_P(CopyRuns, copies_what_a_copy_point_by_point_does) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  for (int i = 0; i < 150 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const Case c = random_case(random, GetParam(), draw(random, 1, 900));
    expect_as_reference(c, generic_kernels(), PointRuns::most_offset_bits);
    expect_as_reference(c, generic_kernels(), 6);
    if (std::string(kernel_name()) == "avx2") expect_as_reference(c, *avx2_kernels(), PointRuns::most_offset_bits);
  }
}

INSTANTIATE_TEST_SUITE_P(mean_lengths, CopyRuns, testing::Values(1, 3, 10, 100));

TEST(CopyRuns, copies_runs_that_are_worth_a_box_each) {
  Random random(9);
  for (int i = 0; i < 20; ++i) expect_as_reference(random_case(random, 4000, 12000), generic_kernels(), 31);
}

TEST(FillRuns, fill_the_points_and_nothing_else) {
  Random random(10);
  for (int i = 0; i < 50 && !HasFailure(); ++i) {
    Case c = random_case(random, draw(random, 1, 40), 300);
    c.copy.source_type = c.copy.target_type;
    c.copy.source_stride = Index::filled(c.copy.count.rank(), 0);
    const Element value = element_of(0x0123456789abcdefULL);
    std::vector<std::byte> wanted(static_cast<std::size_t>(c.target_bytes), untouched), found = wanted;
    const std::uint64_t wanted_sum = reference(c, value.data(), wanted.data());
    EXPECT_EQ(fill_runs(c.copy.count, c.copy.target_stride, c.along, PointRuns(c.runs), c.copy.target_type,
                        c.copy.big_endian, value, found.data()),
              wanted_sum);
    EXPECT_TRUE(found == wanted);
  }
}

}  // namespace
}  // namespace thalweg::transform
