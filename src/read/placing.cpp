#include "read/placing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/numbers.hpp"
#include "transform/copy.hpp"
#include "transform/copy_runs.hpp"

namespace thalweg::read {
namespace {

// Values that are not in this machine's order are turned by the copy, to which it is the same as for a file.
transform::BoxCopy copy_of(const Index& count, const Index& source_stride, const Index& target_stride, Type type,
                           std::endian order = std::endian::native) {
  return {.count = count,
          .source_stride = source_stride,
          .target_stride = target_stride,
          .source_type = type,
          .target_type = type,
          .big_endian = order == std::endian::big};
}

// The copy wants targets that ascend: a dimension that descends is walked from its other end, on both sides.
void ascend(transform::BoxCopy& copy, const std::byte*& source, std::byte*& target) {
  for (int d = 0; d < copy.count.rank(); ++d) {
    if (copy.target_stride[d] >= 0) continue;
    source += (copy.count[d] - 1) * copy.source_stride[d];
    target += (copy.count[d] - 1) * copy.target_stride[d];
    copy.source_stride[d] = -copy.source_stride[d];
    copy.target_stride[d] = -copy.target_stride[d];
  }
}

// The part of a need that the array has room for.
Need clipped(const Need& need, const Target& target) {
  Need part = need;
  for (int d = 0; d < part.region.rank(); ++d) {
    const bool descends = need.mirror.turns(d);
    const std::int64_t lowest = descends ? need.at[d] - need.region.count[d] + 1 : need.at[d];
    const std::int64_t first = std::max(lowest, target.first[d]);
    const std::int64_t stop = std::min(lowest + need.region.count[d], target.stop[d]);
    part.at[d] = descends ? stop - 1 : first;
    part.region.start[d] += descends ? need.at[d] - part.at[d] : first - need.at[d];
    part.region.count[d] = stop - first;
  }
  return part;
}

template <typename Number>
void negate(std::byte* element, const Target& target) {
  const auto stays = [&](const Element& one) { return std::memcmp(element, one.data(), sizeof(Number)) == 0; };
  if (std::ranges::any_of(target.without_sign, stays)) return;
  Number value = loaded<Number>(element);
  if constexpr (std::is_floating_point_v<Number>)
    if (std::isnan(value)) return;
  if constexpr (std::is_integral_v<Number>)
    value = static_cast<Number>(std::uint64_t{0} - static_cast<std::uint64_t>(value));  // the least one stays
  else
    value = -value;
  std::memcpy(element, &value, sizeof value);
}

// origin: of a box of the target; dimensions from d on.
template <typename Number>
void negate_all(std::byte* origin, const Index& count, const Index& stride, const Target& target, int d = 0) {
  if (d == count.rank()) return negate<Number>(origin, target);
  for (std::int64_t i = 0; i < count[d]; ++i) negate_all<Number>(origin + i * stride[d], count, stride, target, d + 1);
}

// source: row-major values of `outer`, which contains the need.
void place_need(const Need& need, const Box& outer, const std::byte* source, const Target& target,
                std::endian order = std::endian::native) {
  const Need part = clipped(need, target);
  if (part.region.empty()) return;
  const Index stride = contiguous_strides(outer.count, static_cast<std::int64_t>(size_of(target.type)));
  for (int d = 0; d < outer.rank(); ++d) source += (part.region.start[d] - outer.start[d]) * stride[d];
  transform::BoxCopy copy = copy_of(part.region.count, stride, target.stride, target.type, order);
  for (int d = 0; d < outer.rank(); ++d)
    if (part.mirror.turns(d)) copy.target_stride[d] = -copy.target_stride[d];
  std::byte* to = target.origin + offset_of(part.at, target.stride);
  ascend(copy, source, to);
  transform::copy_box(copy, source, to);
  if (!part.mirror.is_negated) return;
  with_number(target.type, [&](auto kind) { negate_all<decltype(kind)>(to, copy.count, copy.target_stride, target); });
}

void place_points(const Share& share, const std::byte* source, const Target& target) {
  const Index stride = contiguous_strides(share.packed_count(), static_cast<std::int64_t>(size_of(target.type)));
  transform::BoxCopy copy = copy_of(share.window.count, stride, target.stride, target.type);
  Index at = share.window.start;
  at[share.along] = 0;
  std::byte* to = target.origin + offset_of(at, target.stride);
  copy.count[share.along] = 1;  // the runs say what is copied along it
  ascend(copy, source, to);
  transform::copy_runs(copy, share.along, *share.points, source, to);
}

}  // namespace

void place_window(const Share& share, const WindowValues& values, const Target& target) {
  for (const Need& need : share.needs) place_need(need, share.window, values.bytes.data(), target, values.order);
}

void place_message(const Share& share, std::span<const std::byte> values, const Target& target) {
  if (share.points) return place_points(share, values.data(), target);
  const std::byte* source = values.data();
  for (const Need& need : share.needs) {
    place_need(need, need.region, source, target);
    source += need.region.cells() * static_cast<std::int64_t>(size_of(target.type));
  }
}

void place_copies(std::span<const geometry::LocalCopy> copies, int along, const Target& target) {
  for (const geometry::LocalCopy& points : copies) {
    Index count = target.stop;
    for (int d = 0; d < count.rank(); ++d) count[d] -= target.first[d];
    count[along] = points.length;
    transform::BoxCopy copy = copy_of(count, target.stride, target.stride, target.type, std::endian::native);
    const std::byte* from =
        target.origin + offset_of(target.first, target.stride) + points.first * target.stride[along];
    std::byte* to = target.origin + offset_of(target.first, target.stride) + points.copy * target.stride[along];
    ascend(copy, from, to);
    transform::copy_box(copy, from, to);
  }
}

void pack(const Share& share, Type type, const WindowValues& window, std::span<std::byte> message) {
  const auto element_bytes = static_cast<std::int64_t>(size_of(type));
  Target target{message.data(), type, {}, {}, {}};
  if (share.points) {
    const Index stride = contiguous_strides(share.packed_count(), element_bytes);
    const Index source_stride = contiguous_strides(share.window.count, element_bytes);
    transform::copy_runs(copy_of(share.window.count, source_stride, stride, type, window.order), share.along,
                         *share.points, window.bytes.data(), message.data());
    return;
  }
  for (const Need& need : share.needs) {
    target.stride = contiguous_strides(need.region.count, element_bytes);
    target.first = Index::filled(need.region.rank(), 0);
    target.stop = need.region.count;
    place_need({need.region, target.first}, share.window, window.bytes.data(), target, window.order);
    target.origin += need.region.cells() * element_bytes;
  }
}

}  // namespace thalweg::read
