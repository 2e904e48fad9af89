#include "transform/copy_runs.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "transform/kernel_table.hpp"

namespace thalweg::transform {
namespace {

// From here on a run is a box worth the price of copy_box: earlier where it has to be turned around.
constexpr std::int64_t box_points = 1024;
constexpr std::int64_t turned_box_points = 64;
constexpr std::int64_t box_elements = 4096;
// Where another dimension is nearer in memory than the runs' points, so many points are copied with all their elements
// before the next, so that a cache line is used as long as it is there.
constexpr std::int64_t batch_points = 256;

// The dimensions around the runs: `inner` elements of each point have no gaps, the others are looped over.
struct Shape {
  std::int64_t inner = 1;
  Index count;  // of the loops
  Index source_step;
  Index target_step;
  std::int64_t elements = 1;  // of a point, in all
  bool nearer = false;        // a loop steps less far than the runs' points do, on either side
};

Shape shape_of(const BoxCopy& copy, int along) {
  const auto source_bytes = static_cast<std::int64_t>(size_of(copy.source_type));
  const auto target_bytes = static_cast<std::int64_t>(size_of(copy.target_type));
  Shape shape;
  int loops = copy.count.rank();
  while (loops - 1 > along && copy.source_stride[loops - 1] == shape.inner * source_bytes &&
         copy.target_stride[loops - 1] == shape.inner * target_bytes)
    shape.inner *= copy.count[--loops];
  shape.elements = shape.inner;
  for (int d = 0; d < loops; ++d) {
    if (d == along || copy.count[d] == 1) continue;
    shape.count.push_back(copy.count[d]);
    shape.source_step.push_back(copy.source_stride[d]);
    shape.target_step.push_back(copy.target_stride[d]);
    shape.elements *= copy.count[d];
    shape.nearer = shape.nearer || std::abs(copy.source_stride[d]) < std::abs(copy.source_stride[along]) ||
                   copy.target_stride[d] < copy.target_stride[along];
  }
  return shape;
}

std::uint64_t copy_loops(RunKernel kernel, const RunList& list, const Shape& shape, int d, const std::byte* source,
                         std::byte* target) {
  if (d == shape.count.rank()) return kernel(list, source, target);
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < shape.count[d]; ++i)
    sum += copy_loops(kernel, list, shape, d + 1, source + i * shape.source_step[d], target + i * shape.target_step[d]);
  return sum;
}

bool is_box(std::int64_t length, const Shape& shape) {
  return length >= (shape.nearer ? turned_box_points : box_points) && length * shape.elements >= box_elements;
}

// One past the last run that is copied together with run `first`, which is no box.
std::size_t batch_end(const PointRuns::Part& part, std::size_t first, const Shape& shape) {
  if (part.length.empty())
    return shape.nearer ? std::min(part.size(), first + static_cast<std::size_t>(batch_points)) : part.size();
  std::int64_t points = 0;
  std::size_t end = first;
  for (; end < part.size() && !is_box(part.length_of(end), shape); ++end) {
    points += part.length_of(end);
    if (shape.nearer && end > first && points > batch_points) break;
  }
  return end;
}

}  // namespace

std::uint64_t copy_runs(const Kernels& kernels, const BoxCopy& copy, int along, const PointRuns& runs,
                        const std::byte* source, std::byte* target) {
  const auto conversion = static_cast<std::size_t>(conversion_of(copy.source_type, copy.target_type));
  const bool reverse = copy.big_endian == (std::endian::native == std::endian::little);
  const RunKernel kernel = kernels.copy_runs[conversion][reverse];
  const Shape shape = shape_of(copy, along);
  const std::int64_t source_step = copy.source_stride[along];
  const std::int64_t target_step = copy.target_stride[along];
  BoxCopy box = copy;
  std::uint64_t sum = 0;
  for (const PointRuns::Part& part : runs.parts()) {
    const std::byte* from = source + part.source_base * source_step;
    std::byte* to = target + part.target_base * target_step;
    for (std::size_t first = 0; first < part.size();) {
      if (is_box(part.length_of(first), shape)) {
        box.count[along] = part.length_of(first);
        sum += copy_box(kernels, Stores::automatic, box, from + part.source[first] * source_step,
                        to + part.target[first] * target_step);
        ++first;
        continue;
      }
      const std::size_t end = batch_end(part, first, shape);
      const RunList list{part.source.data() + first,
                         part.target.data() + first,
                         part.length.empty() ? nullptr : part.length.data() + first,
                         static_cast<std::int64_t>(end - first),
                         source_step,
                         target_step,
                         shape.inner};
      sum += copy_loops(kernel, list, shape, 0, from, to);
      first = end;
    }
  }
  return sum;
}

std::uint64_t copy_runs(const BoxCopy& copy, int along, const PointRuns& runs, const std::byte* source,
                        std::byte* target) {
  return copy_runs(best_kernels(), copy, along, runs, source, target);
}

std::uint64_t fill_runs(const Index& count, const Index& target_stride, int along, const PointRuns& runs, Type type,
                        bool big_endian, Element value, std::byte* target) {
  const BoxCopy copy{count, Index::filled(count.rank(), 0), target_stride, type, type, big_endian};
  return copy_runs(copy, along, runs, value.data(), target);
}

}  // namespace thalweg::transform
