// copy_box against a naive copy, element by element, over random shapes, strides, types and alignments.
#include "transform/copy.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "transform/kernel_table.hpp"

namespace thalweg::transform {
namespace {

constexpr std::size_t guard_bytes = 96;
constexpr std::byte untouched{0xA5};

const std::vector<Type> all_types = {Type::int8,   Type::int16,  Type::int32,  Type::int64,   Type::uint8,
                                     Type::uint16, Type::uint32, Type::uint64, Type::float32, Type::float64};

std::vector<std::pair<Type, Type>> all_pairs() {
  std::vector<std::pair<Type, Type>> pairs = {{Type::float64, Type::float32}, {Type::float32, Type::float64}};
  for (Type type : all_types) pairs.emplace_back(type, type);
  return pairs;
}

std::vector<const Kernels*> all_kernels() {
  std::vector<const Kernels*> kernels = {&generic_kernels()};
  if (std::string(kernel_name()) == "avx2") kernels.push_back(avx2_kernels());
  return kernels;
}

// The reference: one element at a time, in the plainest way.

std::uint64_t reference_bits(const std::byte* source, Type source_type, Type target_type) {
  const auto bits_of = [](const void* value, std::size_t bytes) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, value, bytes);  // the test machines are little-endian
    return bits;
  };
  if (source_type == target_type) return bits_of(source, size_of(target_type));
  if (target_type == Type::float32) {
    double value;
    std::memcpy(&value, source, sizeof value);
    const float narrow = static_cast<float>(value);
    return bits_of(&narrow, sizeof narrow);
  }
  float value;
  std::memcpy(&value, source, sizeof value);
  const double wide = value;
  return bits_of(&wide, sizeof wide);
}

std::uint64_t reference_element(const BoxCopy& copy, const std::byte* source, std::byte* target) {
  const std::uint64_t bits = reference_bits(source, copy.source_type, copy.target_type);
  const std::size_t bytes = size_of(copy.target_type);
  for (std::size_t i = 0; i < bytes; ++i)
    target[copy.big_endian ? bytes - 1 - i : i] = static_cast<std::byte>(bits >> (8 * i));
  return bits;
}

std::uint64_t reference_copy(const BoxCopy& copy, int d, const std::byte* source, std::byte* target) {
  if (d == copy.count.rank()) return reference_element(copy, source, target);
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < copy.count[d]; ++i)
    sum += reference_copy(copy, d + 1, source + i * copy.source_stride[d], target + i * copy.target_stride[d]);
  return sum;
}

// An array around a box: strides in bytes, where its first element is, and how many bytes it takes.
struct Placement {
  Index stride;
  std::int64_t first = 0;
  std::int64_t bytes = 0;
};

using Random = std::mt19937_64;

std::int64_t random_from(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

// Dimensions in the given memory order (fastest first), each with a random margin.
Placement placed(Random& random, const Index& count, std::int64_t element_bytes, const std::vector<int>& fastest_first,
                 int most_margin) {
  Placement placement{Index::filled(count.rank(), 0), 0, element_bytes};
  for (int d : fastest_first) {
    const std::int64_t margin = random_from(random, 0, 1) ? random_from(random, 0, most_margin) : 0;
    placement.stride[d] = placement.bytes;
    placement.first += margin / 2 * placement.bytes;
    placement.bytes *= count[d] + margin;
  }
  return placement;
}

std::vector<int> file_order(int rank) {
  std::vector<int> fastest_first;
  for (int d = rank - 1; d >= 0; --d) fastest_first.push_back(d);
  return fastest_first;
}

Placement source_placement(Random& random, const Index& count, std::int64_t element_bytes) {
  std::vector<int> order = file_order(count.rank());
  if (random_from(random, 0, 2) == 0) std::shuffle(order.begin(), order.end(), random);
  Placement placement = placed(random, count, element_bytes, order, 4);
  for (int d = 0; d < count.rank(); ++d)
    if (random_from(random, 0, 4) == 0) {
      placement.first += placement.stride[d] * (count[d] - 1);
      placement.stride[d] = -placement.stride[d];
    }
  return placement;
}

Placement target_placement(Random& random, const Index& count, std::int64_t element_bytes) {
  return placed(random, count, element_bytes, file_order(count.rank()), 3);
}

Index random_count(Random& random, int rank) {
  const std::int64_t most = std::vector<std::int64_t>{1, 600, 90, 24, 11, 7}[static_cast<std::size_t>(rank)];
  Index count;
  for (int d = 0; d < rank; ++d) count.push_back(random_from(random, 0, 5) == 0 ? 1 : random_from(random, 1, most));
  return count;
}

// Random bits. As floating-point numbers they hold NaNs, infinities and denormals of either sign more often than chance
// would have it.
std::vector<std::byte> random_bytes(Random& random, std::size_t bytes) {
  std::vector<std::byte> values(bytes);
  for (std::byte& value : values) value = static_cast<std::byte>(random());
  for (std::size_t i = 0; i + 8 <= bytes; i += 8) {
    const auto kind = random_from(random, 0, 3);
    if (kind == 1) values[i + 7] = std::byte{0x7f}, values[i + 6] = std::byte{0xf0}, values[i + 3] = std::byte{0x7f};
    if (kind == 2) values[i + 7] = std::byte{0x38}, values[i + 3] = std::byte{0x80}, values[i + 2] = std::byte{0x01};
    if (kind == 3) values[i + 7] = std::byte{0xc0}, values[i + 3] = std::byte{0x41};
  }
  return values;
}

struct Case {
  BoxCopy copy;
  Placement source;
  Placement target;
  std::size_t source_shift;  // bytes by which the arrays miss the alignment of the heap
  std::size_t target_shift;
  std::vector<std::byte> values;
};

Case random_case(Random& random, Type source_type, Type target_type, bool big_endian, int rank) {
  const Index count = random_count(random, rank);
  Case c;
  c.source = source_placement(random, count, static_cast<std::int64_t>(size_of(source_type)));
  c.target = target_placement(random, count, static_cast<std::int64_t>(size_of(target_type)));
  c.copy = {count, c.source.stride, c.target.stride, source_type, target_type, big_endian};
  c.source_shift = static_cast<std::size_t>(random_from(random, 0, 9));
  const auto element = static_cast<std::int64_t>(size_of(target_type));
  c.target_shift = static_cast<std::size_t>(random_from(random, 0, 1) ? random_from(random, 0, 15) * element % 64
                                                                      : random_from(random, 0, 70));
  c.values = random_bytes(random, c.source_shift + static_cast<std::size_t>(c.source.bytes));
  return c;
}

struct Result {
  std::vector<std::byte> memory;  // the target array between two guards
  std::uint64_t checksum;
};

template <typename Copy>
Result result_of(const Case& c, Copy&& copy) {
  Result result{std::vector<std::byte>(2 * guard_bytes + static_cast<std::size_t>(c.target.bytes) + 64, untouched), 0};
  const std::byte* source = c.values.data() + c.source_shift + c.source.first;
  result.checksum = copy(source, result.memory.data() + guard_bytes + c.target_shift % 64 + c.target.first);
  return result;
}

void expect_like_reference(const Case& c) {
  const Result expected = result_of(
      c, [&](const std::byte* source, std::byte* target) { return reference_copy(c.copy, 0, source, target); });
  for (const Kernels* kernels : all_kernels())
    for (Stores stores : {Stores::cached, Stores::streaming}) {
      const Result result = result_of(c, [&](const std::byte* source, std::byte* target) {
        return copy_box(*kernels, stores, c.copy, source, target);
      });
      ASSERT_TRUE(result.memory == expected.memory && result.checksum == expected.checksum)
          << kernels->name << ", " << (stores == Stores::streaming ? "streaming" : "cached") << ", "
          << name_of(c.copy.source_type) << " -> " << name_of(c.copy.target_type)
          << (c.copy.big_endian ? " big-endian" : "") << ", count " << to_string(c.copy.count) << ", source stride "
          << to_string(c.copy.source_stride) << ", target stride " << to_string(c.copy.target_stride)
          << ", target shift " << c.target_shift << ", checksums " << result.checksum << " and " << expected.checksum;
    }
}

TEST(CopyBox, equals_a_copy_element_by_element) {
  Random random(20250101);
  for (const auto& [source_type, target_type] : all_pairs())
    for (bool big_endian : {false, true})
      for (int rank = 0; rank <= 5; ++rank)
        for (int repetition = 0; repetition < 12; ++repetition) {
          expect_like_reference(random_case(random, source_type, target_type, big_endian, rank));
          if (HasFatalFailure()) return;
        }
}

TEST(CopyBox, equals_a_copy_element_by_element_for_every_row_length_and_alignment) {
  Random random(7);
  for (std::int64_t columns = 1; columns <= 70; ++columns)
    for (const auto& [source_type, target_type] : {std::pair{Type::uint8, Type::uint8},
                                                   {Type::float32, Type::float32},
                                                   {Type::float64, Type::float32},
                                                   {Type::float32, Type::float64}}) {
      Case c = random_case(random, source_type, target_type, true, 0);
      c.copy.count = {3, columns};
      const auto source_element = static_cast<std::int64_t>(size_of(source_type));
      const auto target_element = static_cast<std::int64_t>(size_of(target_type));
      c.source = {contiguous_strides({3, columns + 2}, source_element), 0, 3 * (columns + 2) * source_element};
      c.target = {contiguous_strides(c.copy.count, target_element), 0, 3 * columns * target_element};
      c.copy.source_stride = c.source.stride;
      c.copy.target_stride = c.target.stride;
      c.values = random_bytes(random, c.source_shift + static_cast<std::size_t>(c.source.bytes));
      c.target_shift = static_cast<std::size_t>(columns * target_element % 64);
      expect_like_reference(c);
      if (HasFatalFailure()) return;
    }
}

TEST(CopyBox, streams_large_boxes_without_being_told) {
  const Index count{40, 130, 70};
  std::vector<float> source(40 * 138 * 78);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<float>(i);
  const BoxCopy copy{
      count, contiguous_strides({40, 138, 78}, 4), contiguous_strides(count, 4), Type::float32, Type::float32, true};
  std::vector<float> target(40 * 130 * 70), expected(target.size());
  const auto* first = reinterpret_cast<const std::byte*>(source.data());
  const std::uint64_t checksum = copy_box(copy, first, reinterpret_cast<std::byte*>(target.data()));
  EXPECT_EQ(checksum, reference_copy(copy, 0, first, reinterpret_cast<std::byte*>(expected.data())));
  EXPECT_EQ(std::memcmp(target.data(), expected.data(), target.size() * 4), 0);
}

TEST(CopyBox, checksum_does_not_depend_on_how_a_field_is_cut) {
  Random random(3);
  const Index shape{9, 31, 67};
  const std::vector<std::byte> source = random_bytes(random, 9 * 31 * 67 * 8);
  std::vector<std::byte> target(9 * 31 * 67 * 4);
  const Index from = contiguous_strides(shape, 8), to = contiguous_strides(shape, 4);
  const auto copy_part = [&](const Index& start, const Index& count) {
    std::int64_t source_at = 0, target_at = 0;
    for (int d = 0; d < 3; ++d) source_at += start[d] * from[d], target_at += start[d] * to[d];
    return copy_box({count, from, to, Type::float64, Type::float32, true}, source.data() + source_at,
                    target.data() + target_at);
  };
  const std::uint64_t at_once = copy_part({0, 0, 0}, shape);
  std::uint64_t in_parts = 0;
  for (std::int64_t j : {0, 13})
    for (std::int64_t i : {0, 1, 30}) {
      const std::int64_t columns = i == 0 ? 1 : i == 1 ? 29 : 37;
      in_parts += copy_part({0, j, i}, {9, j == 0 ? 13 : 18, columns});
    }
  EXPECT_EQ(in_parts, at_once);
}

TEST(CopyBox, checksum_is_the_sum_of_the_bits_in_host_order) {
  const std::vector<std::int16_t> source = {1, -1, 256};
  std::vector<std::int16_t> target(3);
  const BoxCopy copy{{3}, {2}, {2}, Type::int16, Type::int16, true};
  const auto sum =
      copy_box(copy, reinterpret_cast<const std::byte*>(source.data()), reinterpret_cast<std::byte*>(target.data()));
  EXPECT_EQ(sum, 1U + 0xffffU + 256U);
  EXPECT_EQ(target, (std::vector<std::int16_t>{0x0100, -1, 0x0001}));
}

TEST(CopyBox, checksum_wraps_at_64_bits) {
  const std::vector<std::uint64_t> source = {~0ULL, ~0ULL, 5};
  std::vector<std::uint64_t> target(3);
  const BoxCopy copy{{3}, {8}, {8}, Type::uint64, Type::uint64, false};
  EXPECT_EQ(
      copy_box(copy, reinterpret_cast<const std::byte*>(source.data()), reinterpret_cast<std::byte*>(target.data())),
      3U);
}

// Long enough that every value meets the vector loop and the loop over the rest.
std::vector<double> special_doubles(std::size_t count) {
  const std::vector<double> values = {-0.0,     1e-310,      1e-45,       1e300,
                                      -1e300,   1 + 0x1p-24, 1 + 0x3p-24, std::numeric_limits<double>::quiet_NaN(),
                                      -HUGE_VAL};
  std::vector<double> source;
  for (std::size_t i = 0; i < count; ++i) source.push_back(values[i % values.size()]);
  return source;
}

TEST(CopyBox, narrowing_rounds_to_nearest_even_keeps_nan_and_overflows_to_infinity) {
  const std::vector<double> source = special_doubles(9 * 11);
  for (const Kernels* kernels : all_kernels()) {
    std::vector<float> target(source.size());
    const BoxCopy copy{{99}, {8}, {4}, Type::float64, Type::float32, false};
    copy_box(*kernels, Stores::cached, copy, reinterpret_cast<const std::byte*>(source.data()),
             reinterpret_cast<std::byte*>(target.data()));
    for (std::size_t i = 0; i < source.size(); i += 9) {
      EXPECT_TRUE(target[i] == 0 && std::signbit(target[i]));
      EXPECT_EQ(target[i + 1], 0);
      EXPECT_EQ(target[i + 2], 0x1p-149F);
      EXPECT_EQ(target[i + 3], HUGE_VALF);
      EXPECT_EQ(target[i + 4], -HUGE_VALF);
      EXPECT_EQ(target[i + 5], 1.0F);
      EXPECT_EQ(target[i + 6], 1.0F + 0x1p-22F);
      EXPECT_TRUE(std::isnan(target[i + 7]));
      EXPECT_EQ(target[i + 8], -HUGE_VALF);
    }
  }
}

TEST(CopyBox, same_type_keeps_signalling_nans_and_negative_zeros_bit_for_bit) {
  const std::vector<std::uint32_t> source = {0x7f800001, 0xffc12345, 0x80000000, 0x00000001, 0x7fc00000};
  for (const Kernels* kernels : all_kernels()) {
    std::vector<std::uint32_t> target(33), repeated;
    for (std::size_t i = 0; i < 33; ++i) repeated.push_back(source[i % 5]);
    const BoxCopy copy{{33}, {4}, {4}, Type::float32, Type::float32, false};
    copy_box(*kernels, Stores::cached, copy, reinterpret_cast<const std::byte*>(repeated.data()),
             reinterpret_cast<std::byte*>(target.data()));
    EXPECT_EQ(target, repeated);
  }
}

TEST(CopyBox, empty_box_touches_nothing) {
  const BoxCopy copy{{4, 0, 3}, {8, 8, 8}, {8, 8, 8}, Type::float64, Type::float64, false};
  EXPECT_EQ(copy_box(copy, nullptr, nullptr), 0U);
}

TEST(CopyBox, box_without_dimensions_is_one_element) {
  const double source = 2.5;
  float target = 0;
  const BoxCopy copy{{}, {}, {}, Type::float64, Type::float32, false};
  const auto sum = copy_box(copy, reinterpret_cast<const std::byte*>(&source), reinterpret_cast<std::byte*>(&target));
  EXPECT_EQ(target, 2.5F);
  EXPECT_EQ(sum, std::bit_cast<std::uint32_t>(2.5F));
}

TEST(CopyBox, refuses_a_pair_of_types_that_is_not_convertible) {
  const BoxCopy copy{{1}, {4}, {4}, Type::int32, Type::float32, false};
  std::byte memory[4] = {};
  EXPECT_THROW(copy_box(copy, memory, memory), Error);
}

TEST(Convertible, holds_for_equal_types_and_between_the_floating_point_types_only) {
  for (Type source : all_types)
    for (Type target : all_types) {
      const bool floats =
          (source == Type::float32 && target == Type::float64) || (source == Type::float64 && target == Type::float32);
      EXPECT_EQ(convertible(source, target), source == target || floats);
    }
}

TEST(FillBox, equals_a_copy_of_an_array_full_of_the_value) {
  Random random(11);
  for (Type type : all_types)
    for (int rank = 0; rank <= 5; ++rank) {
      Case c = random_case(random, type, type, rank % 2 == 0, rank);
      const Element value = default_fill(type);
      c.copy.source_stride = Index::filled(rank, 0);
      const Result expected = result_of(
          c, [&](const std::byte*, std::byte* target) { return reference_copy(c.copy, 0, value.data(), target); });
      const Result result = result_of(c, [&](const std::byte*, std::byte* target) {
        return fill_box(c.copy.count, c.copy.target_stride, type, c.copy.big_endian, value, target);
      });
      EXPECT_TRUE(result.memory == expected.memory) << name_of(type) << " " << to_string(c.copy.count);
      EXPECT_EQ(result.checksum, expected.checksum);
    }
}

}  // namespace
}  // namespace thalweg::transform
