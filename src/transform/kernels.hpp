// The bodies of the kernels, compiled once for each instruction set (see vectors.hpp for what follows from that).
#pragma once

#include "transform/kernel_table.hpp"
#include "transform/vectors.hpp"

namespace thalweg::transform {
namespace {

template <int bytes>
struct BitsOf;
template <>
struct BitsOf<1> {
  using type = std::uint8_t;
};
template <>
struct BitsOf<2> {
  using type = std::uint16_t;
};
template <>
struct BitsOf<4> {
  using type = std::uint32_t;
};
template <>
struct BitsOf<8> {
  using type = std::uint64_t;
};

// Copies elements of one pair of types in one byte order. Source == Target are unsigned integers: those elements are
// moved, not converted.
template <typename Source, typename Target, bool reverse>
class Copier {
 public:
  // Runs of single elements are gathered; where points have no gaps between them a run is a row.
  static std::uint64_t copy_runs(const RunList& list, const std::byte* source, std::byte* target) {
    const bool dense = list.source_step == list.inner * source_bytes && list.target_step == list.inner * target_bytes;
    if (list.length == nullptr && list.inner == 1)
      return dense ? gather(list, source_bytes, target_bytes, source, target)
                   : gather(list, list.source_step, list.target_step, source, target);
    return dense ? copy_dense_runs(list, source, target) : copy_points(list, source, target);
  }

  static std::uint64_t copy_plane(const Plane& plane, const std::byte* source, std::byte* target) {
    const bool dense_source = plane.source_column_step == source_bytes;
    const bool dense_target = plane.target_column_step == target_bytes;
    if (dense_source && dense_target) return copy_dense(plane, source, target);
    if (dense_target) return copy_tiles(plane, source, target);
    return copy_strided(plane, source, target);
  }

 private:
  static constexpr std::int64_t source_bytes = sizeof(Source);
  static constexpr std::int64_t target_bytes = sizeof(Target);
  static constexpr int step = vector_bytes / target_bytes;  // elements
  // Hardware prefetchers stop at the end of a page and stumble over the gaps between rows; streaming stores leave the
  // core nothing but these reads to wait for. 2 KiB ahead measured best (bench/micro/README.md).
  static constexpr std::int64_t prefetch_bytes = 2048;
  static constexpr std::int64_t tile_rows = 32;
  static constexpr std::int64_t tile_columns = 64;
  static constexpr std::int64_t gather_ahead = 32;  // points
  static constexpr std::int64_t runs_ahead = 4;
  static constexpr std::int64_t prefetched_lines = 8;  // of a run

  using Bits = typename BitsOf<target_bytes>::type;
  using SourceBits = typename BitsOf<source_bytes>::type;

  // Lives in registers: everything that takes it is inlined into the loop over rows.
  struct Sums {
    Words words{};
    std::uint64_t rest = 0;

    std::uint64_t total() const {
      std::uint64_t sum = rest;
      for (int i = 0; i < vector_bytes / 8; ++i) sum += words[i];
      return sum;
    }
  };

  template <int count>
  static Vector<Target, count> convert(const std::byte* source) {
    return __builtin_convertvector((load<Vector<Source, count>>(source)), Vector<Target, count>);
  }

  static Words convert_step(const std::byte* source) {
    if constexpr (source_bytes == target_bytes)
      return load<Words>(source);
    else if constexpr (source_bytes < target_bytes)
      return (Words)convert<step>(source);
    else
      return joined(convert<step / 2>(source), convert<step / 2>(source + step / 2 * source_bytes));
  }

  static Bits convert_one(const std::byte* source) {
    const Target value = static_cast<Target>(load<Source>(source));
    return load<Bits>(reinterpret_cast<const std::byte*>(&value));
  }

  static Bits ordered(Bits bits) {
    if constexpr (reverse && target_bytes == 2) return __builtin_bswap16(bits);
    if constexpr (reverse && target_bytes == 4) return __builtin_bswap32(bits);
    if constexpr (reverse && target_bytes == 8) return __builtin_bswap64(bits);
    return bits;
  }

  [[gnu::always_inline]] static void copy_one(const std::byte* __restrict source, std::byte* __restrict target,
                                              Sums& sums) {
    const Bits bits = convert_one(source);
    sums.rest += bits;
    store(target, ordered(bits));
  }

  template <bool streaming>
  [[gnu::always_inline]] static void copy_step(const std::byte* __restrict source, std::byte* __restrict target,
                                               Sums& sums) {
    Words words = convert_step(source);
    sums.words += word_sums<target_bytes>(words);
    if constexpr (reverse) words = reversed<target_bytes>(words);
    if constexpr (streaming)
      stream(target, words);
    else
      store(target, words);
  }

  [[gnu::always_inline]] static void copy_row(std::int64_t count, const std::byte* __restrict source,
                                              std::byte* __restrict target, Sums& sums) {
    std::int64_t i = 0;
    for (; i + step <= count; i += step) copy_step<false>(source + i * source_bytes, target + i * target_bytes, sums);
    for (; i < count; ++i) copy_one(source + i * source_bytes, target + i * target_bytes, sums);
  }

  // Elements before the first whole cache line of a row; all of them if no element begins a line.
  static std::int64_t count_to_line(std::int64_t count, const std::byte* target) {
    const std::uintptr_t bytes = -reinterpret_cast<std::uintptr_t>(target) % cache_line_bytes;
    const auto elements = static_cast<std::int64_t>(bytes / target_bytes);
    return bytes % target_bytes != 0 || elements > count ? count : elements;
  }

  // Streams the whole cache lines of a row. The lines at its ends, which it shares with its neighbours, go through the
  // caches: part of a line is dear to stream.
  [[gnu::always_inline]] static void stream_row(std::int64_t count, const std::byte* __restrict source,
                                                std::byte* __restrict target, Sums& sums) {
    constexpr std::int64_t line = cache_line_bytes / target_bytes;
    std::int64_t i = count_to_line(count, target);
    copy_row(i, source, target, sums);
    for (; i + line <= count; i += line) {
      for (std::int64_t byte = 0; byte < line * source_bytes; byte += cache_line_bytes)
        __builtin_prefetch(source + i * source_bytes + byte + prefetch_bytes);
      for (std::int64_t k = 0; k < line; k += step)
        copy_step<true>(source + (i + k) * source_bytes, target + (i + k) * target_bytes, sums);
    }
    copy_row(count - i, source + i * source_bytes, target + i * target_bytes, sums);
  }

  // Ordinary stores to the lines at a row's ends would hold up the streaming stores behind them.
  [[gnu::always_inline]] static void prefetch_ends(const std::byte* target_row, std::int64_t columns) {
    __builtin_prefetch(target_row, 1);
    __builtin_prefetch(target_row + columns * target_bytes - 1, 1);
  }

  static std::uint64_t copy_dense(const Plane& plane, const std::byte* source, std::byte* target) {
    Sums sums;
    for (std::int64_t row = 0; row < plane.rows; ++row) {
      const std::byte* source_row = source + row * plane.source_row_step;
      std::byte* target_row = target + row * plane.target_row_step;
      if (plane.streaming) {
        prefetch_ends(target_row + plane.target_row_step, plane.columns);
        stream_row(plane.columns, source_row, target_row, sums);
      } else
        copy_row(plane.columns, source_row, target_row, sums);
    }
    return sums.total();
  }

  static std::uint64_t copy_strided(const Plane& plane, const std::byte* source, std::byte* target) {
    Sums sums;
    for (std::int64_t row = 0; row < plane.rows; ++row)
      for (std::int64_t column = 0; column < plane.columns; ++column)
        copy_one(source + row * plane.source_row_step + column * plane.source_column_step,
                 target + row * plane.target_row_step + column * plane.target_column_step, sums);
    return sums.total();
  }

  // The source's fastest dimension is not the columns, or has gaps. Tile by tile, the source is gathered in the nearest
  // cache, so that each of its cache lines is read once, and goes on from there in whole lines of the target.
  static std::uint64_t copy_tiles(const Plane& plane, const std::byte* source, std::byte* target) {
    std::uint64_t sum = 0;
    for (std::int64_t row = 0; row < plane.rows; row += tile_rows)
      for (std::int64_t column = 0; column < plane.columns; column += tile_columns) {
        Plane tile = plane;
        tile.rows = smaller(tile_rows, plane.rows - row);
        tile.columns = smaller(tile_columns, plane.columns - column);
        sum += copy_tile(tile, source + row * plane.source_row_step + column * plane.source_column_step,
                         target + row * plane.target_row_step + column * target_bytes);
      }
    return sum;
  }

  static std::uint64_t copy_tile(Plane tile, const std::byte* source, std::byte* target) {
    alignas(cache_line_bytes) SourceBits gathered[tile_rows][tile_columns];
    for (std::int64_t column = 0; column < tile.columns; ++column)
      for (std::int64_t row = 0; row < tile.rows; ++row)
        gathered[row][column] =
            load<SourceBits>(source + row * tile.source_row_step + column * tile.source_column_step);
    tile.source_row_step = sizeof gathered[0];
    tile.source_column_step = source_bytes;
    return copy_dense(tile, reinterpret_cast<const std::byte*>(gathered), target);
  }

  // The steps are given apart from the list so that they are constants where points have no gaps between them. No
  // prefetcher foresees a gather, but the list does: asking early takes 2.5 ns a point in place of 4.2.
  [[gnu::always_inline]] static std::uint64_t gather(const RunList& list, std::int64_t source_step,
                                                     std::int64_t target_step, const std::byte* __restrict source,
                                                     std::byte* __restrict target) {
    Sums sums;
    const std::int64_t ahead = list.runs - gather_ahead;
    std::int64_t i = 0;
    for (; i < ahead; ++i) {
      __builtin_prefetch(source + list.source[i + gather_ahead] * source_step);
      copy_one(source + list.source[i] * source_step, target + list.target[i] * target_step, sums);
    }
    for (; i < list.runs; ++i)
      copy_one(source + list.source[i] * source_step, target + list.target[i] * target_step, sums);
    return sums.total();
  }

  static std::int64_t length_of(const RunList& list, std::int64_t i) {
    return list.length == nullptr ? 1 : list.length[i];
  }

  // As much of a run to come as is worth it: of a longer one the hardware notices by itself what comes next.
  [[gnu::always_inline]] static void prefetch_run(const RunList& list, std::int64_t i, const std::byte* source) {
    if (i >= list.runs) return;
    const std::byte* first = source + list.source[i] * list.source_step;
    const std::int64_t points = length_of(list, i);
    const bool is_near =
        list.inner > 1 || (-cache_line_bytes < list.source_step && list.source_step < cache_line_bytes);
    const std::int64_t step = is_near ? cache_line_bytes : list.source_step;
    const std::int64_t lines = is_near ? points * list.source_step / cache_line_bytes + 1 : points;
    for (std::int64_t line = 0; line < smaller(lines, prefetched_lines); ++line)
      __builtin_prefetch(first + line * step);
  }

  static std::uint64_t copy_dense_runs(const RunList& list, const std::byte* source, std::byte* target) {
    Sums sums;
    for (std::int64_t i = 0; i < list.runs; ++i) {
      prefetch_run(list, i + runs_ahead, source);
      copy_row(length_of(list, i) * list.inner, source + list.source[i] * list.source_step,
               target + list.target[i] * list.target_step, sums);
    }
    return sums.total();
  }

  static std::uint64_t copy_points(const RunList& list, const std::byte* source, std::byte* target) {
    Sums sums;
    for (std::int64_t i = 0; i < list.runs; ++i) {
      prefetch_run(list, i + runs_ahead, source);
      const std::byte* from = source + list.source[i] * list.source_step;
      std::byte* to = target + list.target[i] * list.target_step;
      for (std::int64_t k = length_of(list, i); k > 0; --k, from += list.source_step, to += list.target_step) {
        if (list.inner == 1)
          copy_one(from, to, sums);
        else
          copy_row(list.inner, from, to, sums);
      }
    }
    return sums.total();
  }

  static std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
};

template <typename Source, typename Target>
constexpr std::array<PlaneKernel, 2> both_orders = {Copier<Source, Target, false>::copy_plane,
                                                    Copier<Source, Target, true>::copy_plane};

template <typename Source, typename Target>
constexpr std::array<RunKernel, 2> both_orders_of_runs = {Copier<Source, Target, false>::copy_runs,
                                                          Copier<Source, Target, true>::copy_runs};

constexpr Kernels kernels_named(const char* name) {
  return {name,
          {both_orders<std::uint8_t, std::uint8_t>, both_orders<std::uint16_t, std::uint16_t>,
           both_orders<std::uint32_t, std::uint32_t>, both_orders<std::uint64_t, std::uint64_t>,
           both_orders<double, float>, both_orders<float, double>},
          {both_orders_of_runs<std::uint8_t, std::uint8_t>, both_orders_of_runs<std::uint16_t, std::uint16_t>,
           both_orders_of_runs<std::uint32_t, std::uint32_t>, both_orders_of_runs<std::uint64_t, std::uint64_t>,
           both_orders_of_runs<double, float>, both_orders_of_runs<float, double>},
          complete_streams};
}

}  // namespace
}  // namespace thalweg::transform
