#include "transform/encode.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/element_bits.hpp"
#include "random_bytes.hpp"
#include "transform/chain.hpp"
#include "transform/filters.hpp"
#include "transform/quantize.hpp"

namespace thalweg::transform {
namespace {

using config::Codec;
using config::codec_named;
using Bytes = std::vector<std::byte>;

constexpr std::size_t checksum_bytes = 4;

const config::ChunkRules hdf5_rules = config::format_named("netcdf4")->traits.chunks;
const config::ChunkRules zarr_rules = config::format_named("zarr")->traits.chunks;

bool is_zarr(const EncodingTask& task) {
  return task.rules.filters == config::ChunkFilters::zarr;
}

// What encode_chunk makes of a chunk, and the size it says.
struct Encoded {
  Bytes bytes;
  EncodedSize size;
};

Encoded encoded(const EncodingTask& task, const Bytes& chunk, EncodingTools& tools) {
  Bytes memory = chunk;
  const std::int64_t spare = spare_bytes(task.encoding, task.type, task.rules, std::ssize(chunk));
  memory.resize(chunk.size() + static_cast<std::size_t>(spare), std::byte{'s'});
  const EncodedSize size = encode_chunk(task, memory, chunk.size(), tools);
  memory.resize(static_cast<std::size_t>(size.bytes));
  return {memory, size};
}

// Takes the checksum off and looks whether it is right.
Bytes without_checksum(const EncodingTask& task, Bytes bytes) {
  std::uint32_t stored = 0;
  std::memcpy(&stored, bytes.data() + bytes.size() - checksum_bytes, checksum_bytes);
  bytes.resize(bytes.size() - checksum_bytes);
  EXPECT_EQ(stored, is_zarr(task) ? crc32c(bytes) : fletcher32(bytes));
  return bytes;
}

// What a container of blosc with one block holds, shuffled if it was compressed. (source: c-blosc,
// README_CHUNK_FORMAT.rst)
Bytes without_blosc(const Bytes& container, Type type, std::size_t bytes) {
  std::uint32_t numbers[5] = {};  // bytes, block bytes, all bytes; where it is no copy begin and size of the block
  std::memcpy(numbers, container.data() + 4, std::min(sizeof numbers, container.size() - 4));
  const auto flags = std::to_integer<unsigned>(container[2]);
  EXPECT_EQ(std::to_integer<std::size_t>(container[3]), size_of(type));
  EXPECT_EQ(numbers[0], bytes);
  EXPECT_EQ(numbers[1], bytes);
  EXPECT_EQ(numbers[2], container.size());
  const bool is_copy = (flags & 2) != 0;
  EXPECT_EQ(flags, is_copy ? 0x82U : 0x91U);
  if (is_copy) {
    Bytes shuffled(bytes);
    shuffle(std::span(container).subspan(16), size_of(type), shuffled.data());
    return shuffled;
  }
  EXPECT_EQ(numbers[3], 20U);
  EXPECT_EQ(numbers[4], container.size() - 24);
  Bytes out(bytes);
  EXPECT_EQ(decompress(codec_named("zstd"), std::span(container).subspan(24), out), bytes);
  return out;
}

Bytes decoded(const EncodingTask& task, const Encoded& from, std::size_t bytes) {
  const catalog::Encoding& encoding = task.encoding;
  Bytes at = from.bytes;
  if (encoding.checksum && !task.checksum_first) at = without_checksum(task, at);
  if (encoding.shuffle && is_zarr(task)) {
    Bytes out(bytes);
    unshuffle(without_blosc(at, task.type, bytes), size_of(task.type), out.data());
    return out;
  }
  if (encoding.checksum && task.checksum_first) bytes += checksum_bytes;
  if (encoding.codec && !from.size.codec_skipped) {
    Bytes out(bytes);
    EXPECT_EQ(decompress(encoding.codec, at, out), bytes);
    at = out;
  }
  if (encoding.shuffle) {
    Bytes out(at.size());
    unshuffle(at, size_of(task.type), out.data());
    at = out;
  }
  return encoding.checksum && task.checksum_first ? without_checksum(task, at) : at;
}

Bytes values_of(Type type, std::size_t count) {
  Bytes bytes(count * size_of(type));
  for (std::size_t i = 0; i < count; ++i) {
    const double number = 1000.0 / static_cast<double>(i % 97 + 1);
    const auto single = static_cast<float>(number);
    const auto whole = static_cast<std::int64_t>(number);
    const void* from = type == Type::float64   ? static_cast<const void*>(&number)
                       : type == Type::float32 ? static_cast<const void*>(&single)
                                               : &whole;
    std::memcpy(bytes.data() + i * size_of(type), from, size_of(type));
  }
  return bytes;
}

Bytes rounded(const EncodingTask& task, Bytes bytes) {
  using Mode = Quantization::Mode;
  const bool by_bits = task.encoding.keep_bits > 0;
  const std::int64_t keep = by_bits ? task.encoding.keep_bits : task.encoding.keep_digits;
  quantize(bytes, task.type, {by_bits ? Mode::bit_round : Mode::granular_bit_round, static_cast<int>(keep)}, task.fill,
           true);
  return bytes;
}

TEST(EncodeChunk, decodes_to_the_values_with_every_combination_of_steps) {
  EncodingTools tools;  // of all: nothing of one chunk shows in the next
  for (const Codec codec : {Codec(), codec_named("zstd"), codec_named("deflate")})
    for (const Type type : {Type::int8, Type::int16, Type::float32, Type::float64})
      for (int flags = 0; flags < 16; ++flags) {
        EncodingTask task{{.codec = codec, .level = 3}, type, default_fill(type), hdf5_rules};
        task.encoding.shuffle = (flags & 1) != 0 && size_of(type) > 1;
        task.encoding.checksum = (flags & 2) != 0;
        task.checksum_first = (flags & 4) != 0;
        task.rules = (flags & 8) != 0 ? zarr_rules : hdf5_rules;
        // Zarr compresses with zstd, shuffles only what it compresses, and has its checksum behind that.
        if (is_zarr(task) && (codec == codec_named("deflate") || task.checksum_first)) continue;
        if (is_zarr(task) && codec == Codec()) task.encoding.shuffle = false;
        for (const std::size_t count : {std::size_t{5000}, std::size_t{3}}) {
          const Bytes chunk = values_of(type, count);
          const Encoded made = encoded(task, chunk, tools);
          ASSERT_EQ(decoded(task, made, chunk.size()), chunk) << count << " of " << name_of(type) << ", " << flags;
          if (codec == Codec()) ASSERT_FALSE(made.size.codec_skipped);
          if (codec != Codec() && count == 5000) ASSERT_LT(made.bytes.size(), chunk.size() / 2);
        }
      }
}

TEST(EncodeChunk, rounds_before_everything_else) {
  EncodingTools tools;
  for (const Type type : {Type::float32, Type::float64})
    for (const auto& [bits, digits] : {std::pair{7, 0}, std::pair{0, 3}}) {
      EncodingTask task{{.keep_digits = digits, .keep_bits = bits}, type, default_fill(type), hdf5_rules};
      const Bytes chunk = values_of(type, 1000);
      const Bytes wanted = rounded(task, chunk);
      EXPECT_NE(wanted, chunk);
      EXPECT_EQ(encoded(task, chunk, tools).bytes, wanted);
      task.encoding.codec = codec_named("deflate");
      task.encoding.level = 1;
      task.encoding.shuffle = task.encoding.checksum = true;
      EXPECT_EQ(decoded(task, encoded(task, chunk, tools), chunk.size()), wanted);
    }
}

TEST(EncodeChunk, sums_what_it_has_rounded_where_it_is_asked) {
  EncodingTools tools;
  EncodingTask task{{.keep_bits = 7, .codec = codec_named("zstd"), .level = 1, .shuffle = true},
                    Type::float32,
                    default_fill(Type::float32),
                    hdf5_rules};
  const Bytes chunk = values_of(task.type, 1000);
  EXPECT_EQ(encoded(task, chunk, tools).size.sum, 0U);
  task.sums_rounded = true;
  EXPECT_EQ(encoded(task, chunk, tools).size.sum, bit_sum(rounded(task, chunk), size_of(task.type)));
  task.encoding.keep_bits = 0;
  EXPECT_EQ(encoded(task, chunk, tools).size.sum, 0U) << "the values are as they came, and so is their sum";
}

// Numbers as a model computes them: noise in the lower half of their bytes, smooth above.
Bytes noisy_values(Type type, std::size_t count) {
  Bytes bytes = sample::random_bytes(count * size_of(type));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (i % size_of(type) >= size_of(type) / 2) bytes[i] = static_cast<std::byte>(i / 5000);
  return bytes;
}

TEST(EncodeChunk, decodes_to_the_values_where_some_of_their_bytes_are_noise) {
  EncodingTools tools;
  for (const Codec codec : {codec_named("zstd"), codec_named("deflate")})
    for (const Type type : {Type::int16, Type::float32, Type::float64})
      for (const config::ChunkRules& rules : {hdf5_rules, zarr_rules}) {
        if (!codec->is_in(rules.filters)) continue;
        const EncodingTask task{
            {.codec = codec, .level = 3, .shuffle = true, .checksum = true}, type, default_fill(type), rules};
        const Bytes chunk = noisy_values(type, 200001);
        const Encoded made = encoded(task, chunk, tools);
        EXPECT_LT(made.bytes.size(), chunk.size() / 2 * 1.05);
        ASSERT_EQ(decoded(task, made, chunk.size()), chunk);
      }
}

TEST(EncodeChunk, compresses_noise_where_it_is_not_to_be_stored) {
  EncodingTools tools;
  EncodingTask task{{.codec = codec_named("zstd"), .level = 3, .shuffle = true},
                    Type::float64,
                    default_fill(Type::float64),
                    hdf5_rules};
  const Bytes chunk = noisy_values(task.type, 200001);
  const Bytes stored = encoded(task, chunk, tools).bytes;
  task.encoding.store_noise = false;
  const Encoded made = encoded(task, chunk, tools);
  EXPECT_NE(made.bytes, stored);
  EXPECT_EQ(decoded(task, made, chunk.size()), chunk);
}

TEST(EncodeChunk, holds_a_copy_in_zarr_where_shuffling_and_compressing_gain_nothing) {
  EncodingTools tools;
  for (const std::size_t bytes : {4U, 64U, 4096U, 4000000U}) {
    EncodingTask task{{.codec = codec_named("zstd"), .level = 3, .shuffle = true, .checksum = true},
                      Type::float32,
                      default_fill(Type::float32),
                      hdf5_rules};
    task.rules = zarr_rules;
    const Bytes chunk = sample::random_bytes(bytes);
    const Encoded made = encoded(task, chunk, tools);
    EXPECT_EQ(made.bytes.size(), 16 + bytes + checksum_bytes);
    EXPECT_EQ(decoded(task, made, bytes), chunk);
  }
}

TEST(EncodeChunk, leaves_the_codec_out_where_nothing_would_become_smaller) {
  EncodingTools tools;
  for (const Codec codec : {codec_named("zstd"), codec_named("deflate")})
    for (const bool checksum_first : {false, true})
      for (const std::size_t bytes : {1U, 2U, 8U, 4096U, 100000U}) {
        EncodingTask task{
            {.codec = codec, .level = 9, .checksum = true}, Type::int8, default_fill(Type::int8), hdf5_rules};
        task.checksum_first = checksum_first;
        const Bytes chunk = sample::random_bytes(bytes);
        const Encoded made = encoded(task, chunk, tools);
        EXPECT_TRUE(made.size.codec_skipped) << bytes;
        EXPECT_EQ(made.bytes.size(), bytes + checksum_bytes);
        EXPECT_EQ(decoded(task, made, bytes), chunk);
      }
}

TEST(EncodeChunk, leaves_a_chunk_alone_if_there_is_nothing_to_do) {
  EncodingTools tools;
  const Bytes chunk = sample::random_bytes(1000);
  const Encoded made = encoded({{}, Type::float64, {}, hdf5_rules}, chunk, tools);
  EXPECT_EQ(made.bytes, chunk);
  EXPECT_FALSE(made.size.codec_skipped);
  EXPECT_TRUE(tools.spare.empty());
}

}  // namespace
}  // namespace thalweg::transform
