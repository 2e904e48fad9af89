// A chunk on its way to storage: values are rounded, bytes shuffled, compressed and checked, in the chunk's own memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "catalog/definition.hpp"
#include "transform/codecs.hpp"

namespace thalweg::writer {

// What a thread keeps from chunk to chunk.
struct EncodingTools {
  transform::Compressor compressor;
  std::vector<std::byte> spare;
};

struct EncodedSize {
  std::int64_t bytes = 0;
  bool codec_skipped = false;  // the result would not have been smaller, so the step is left out
  std::uint64_t sum = 0;       // of the bits of the rounded values, where it is asked for
};

// What is to be done with the chunks of a variable.
struct EncodingTask {
  catalog::Encoding encoding;
  Type type = Type::float64;
  Element fill{};
  bool checksum_first = false;  // before shuffle and codec, else behind them
  // Zarr: chunks have CRC-32C, not HDF5's Fletcher32, and the codec always, also where it gains nothing.
  bool is_zarr = false;
  bool sums_rounded = false;  // that of the values as they came is known
};

// Encodes the first `bytes` of the chunk in place; the chunk has store::encoding_spare_bytes more than that.
EncodedSize encode_chunk(const EncodingTask& task, std::span<std::byte> chunk, std::size_t bytes, EncodingTools& tools);

}  // namespace thalweg::writer
