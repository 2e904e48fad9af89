#include "transform/copy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "transform/kernel_table.hpp"

namespace thalweg::transform {
namespace {

// Above this size a box goes past the caches: it would push everything else out of them, and its next reader is the
// storage device. Rows have to hold a few whole cache lines for that to pay. (measured: bench/micro/README.md)
constexpr std::int64_t streaming_box_bytes = 1 << 20;
constexpr std::int64_t streaming_row_bytes = 512;

struct Loop {
  std::int64_t count;
  std::int64_t source_step;  // bytes
  std::int64_t target_step;
};

// Loops from the outermost to the innermost.
struct Nest {
  std::array<Loop, max_rank + 2> loops;
  int depth = 0;

  void push_back(const Loop& loop) { loops[static_cast<std::size_t>(depth++)] = loop; }
  Loop* begin() { return loops.data(); }
  Loop* end() { return loops.data() + depth; }
};

// The dimensions of more than one element, ordered by what is near in the target.
Nest target_order(const BoxCopy& copy) {
  Nest nest;
  for (int d = 0; d < copy.count.rank(); ++d)
    if (copy.count[d] != 1) nest.push_back({copy.count[d], copy.source_stride[d], copy.target_stride[d]});
  std::stable_sort(nest.begin(), nest.end(),
                   [](const Loop& a, const Loop& b) { return std::abs(a.target_step) > std::abs(b.target_step); });
  return nest;
}

bool continues(const Loop& outer, const Loop& inner) {
  return outer.source_step == inner.source_step * inner.count && outer.target_step == inner.target_step * inner.count;
}

// Makes one loop of neighbours that step through memory without a gap between them.
Nest merged(Nest nest) {
  Nest result;
  for (const Loop& loop : nest) {
    if (result.depth > 0 && continues(result.end()[-1], loop)) {
      Loop& outer = result.end()[-1];
      outer = {outer.count * loop.count, loop.source_step, loop.target_step};
    } else {
      result.push_back(loop);
    }
  }
  return result;
}

// The loops outside of the plane, then its rows, then its columns. The columns are what is nearest in the target. The
// rows are what is nearest in the source, if that is not the columns: the kernel then works in tiles of both.
Nest loop_nest(const BoxCopy& copy, std::int64_t source_bytes, std::int64_t target_bytes) {
  Nest nest;
  nest.push_back({1, 0, 0});
  for (const Loop& loop : merged(target_order(copy))) nest.push_back(loop);
  if (nest.depth == 1) nest.push_back({1, source_bytes, target_bytes});
  Loop* columns = nest.end() - 1;
  Loop* nearest = std::min_element(nest.begin() + 1, nest.end(), [](const Loop& a, const Loop& b) {
    return std::abs(a.source_step) < std::abs(b.source_step);
  });
  if (std::abs(nearest->source_step) < std::abs(columns->source_step)) std::rotate(nearest, nearest + 1, columns);
  return nest;
}

bool worth_streaming(const Loop& columns, std::int64_t elements, std::int64_t target_bytes) {
  return elements * target_bytes >= streaming_box_bytes && columns.count * target_bytes >= streaming_row_bytes;
}

std::uint64_t copy_loops(PlaneKernel kernel, const Plane& plane, const Loop* first, const Loop* last,
                         const std::byte* source, std::byte* target) {
  if (first == last) return kernel(plane, source, target);
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < first->count; ++i)
    sum += copy_loops(kernel, plane, first + 1, last, source + i * first->source_step, target + i * first->target_step);
  return sum;
}

bool has_avx2() {
#if defined(__x86_64__)
  return avx2_kernels() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

}  // namespace

Conversion conversion_of(Type source, Type target) {
  if (!convertible(source, target))
    fail(THALWEG_ERROR_INTERNAL, "copy_box cannot make {} of {}: check convertible() before", name_of(target),
         name_of(source));
  if (source != target)
    return target == Type::float32 ? Conversion::float64_to_float32 : Conversion::float32_to_float64;
  switch (size_of(target)) {
    case 1: return Conversion::bits8;
    case 2: return Conversion::bits16;
    case 4: return Conversion::bits32;
    default: return Conversion::bits64;
  }
}

const Kernels& best_kernels() {
  static const Kernels& best = has_avx2() ? *avx2_kernels() : generic_kernels();
  return best;
}

bool convertible(Type source, Type target) {
  return source == target || (is_real(source) && is_real(target));
}

std::uint64_t copy_box(const Kernels& kernels, Stores stores, const BoxCopy& copy, const std::byte* source,
                       std::byte* target) {
  const auto conversion = static_cast<std::size_t>(conversion_of(copy.source_type, copy.target_type));
  if (Box{copy.count, copy.count}.empty()) return 0;
  const auto source_bytes = static_cast<std::int64_t>(size_of(copy.source_type));
  const auto target_bytes = static_cast<std::int64_t>(size_of(copy.target_type));
  Nest nest = loop_nest(copy, source_bytes, target_bytes);
  const Loop& rows = nest.end()[-2];
  const Loop& columns = nest.end()[-1];
  const bool streaming = stores == Stores::streaming ||
                         (stores == Stores::automatic && worth_streaming(columns, copy.count.product(), target_bytes));
  const Plane plane{rows.count,       columns.count,       rows.source_step, columns.source_step,
                    rows.target_step, columns.target_step, streaming};
  const bool reverse = copy.big_endian == (std::endian::native == std::endian::little);
  const std::uint64_t sum =
      copy_loops(kernels.copy[conversion][reverse], plane, nest.begin(), nest.end() - 2, source, target);
  if (streaming) kernels.complete_streams();
  return sum;
}

std::uint64_t copy_box(const BoxCopy& copy, const std::byte* source, std::byte* target) {
  return copy_box(best_kernels(), Stores::automatic, copy, source, target);
}

std::uint64_t fill_box(const Index& count, const Index& target_stride, Type type, bool big_endian, Element value,
                       std::byte* target) {
  const BoxCopy copy{count, Index::filled(count.rank(), 0), target_stride, type, type, big_endian};
  return copy_box(copy, value.data(), target);
}

const char* kernel_name() {
  return best_kernels().name;
}

}  // namespace thalweg::transform
