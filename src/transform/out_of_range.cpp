#include "transform/out_of_range.hpp"

#include <bit>
#include <cstring>
#include <limits>

namespace thalweg::transform {
namespace {

// Rounded to the nearest float32, this is the first to be infinite. Compared as integers, no value raises anything.
constexpr auto first_beyond = std::bit_cast<std::uint64_t>(0x1.ffffffp127);
constexpr auto infinite = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());

bool is_beyond(const std::byte* element) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, sizeof bits);
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
  return first_beyond <= magnitude && magnitude < infinite;
}

std::int64_t count_from(const BoxCopy& copy, int d, const std::byte* source) {
  if (d == copy.count.rank()) return is_beyond(source) ? 1 : 0;
  std::int64_t found = 0;
  for (std::int64_t i = 0; i < copy.count[d]; ++i) found += count_from(copy, d + 1, source + i * copy.source_stride[d]);
  return found;
}

}  // namespace

std::int64_t count_out_of_range(const BoxCopy& copy, const std::byte* source) {
  return count_from(copy, 0, source);
}

std::int64_t count_out_of_range(const BoxCopy& copy, int along, const PointRuns& runs, const std::byte* source) {
  BoxCopy box = copy;
  std::int64_t found = 0;
  for (const PointRuns::Part& part : runs.parts())
    for (std::size_t i = 0; i < part.size(); ++i) {
      box.count[along] = part.length_of(i);
      found += count_from(box, 0, source + (part.source_base + part.source[i]) * copy.source_stride[along]);
    }
  return found;
}

}  // namespace thalweg::transform
