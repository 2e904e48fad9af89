// A chunk on its way to storage: values are rounded, then its bytes go through a chain of filters, in the chunk's own
// memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "catalog/definition.hpp"
#include "transform/filter.hpp"

namespace thalweg::transform {

// What a thread keeps from chunk to chunk.
struct EncodingTools {
  Compressor compressor;
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
  config::ChunkRules rules;
  bool checksum_first = false;  // before shuffle and codec, else behind them
  bool sums_rounded = false;    // that of the values as they came is known
};

// Encodes the first `bytes` of the chunk in place; the chunk has spare_bytes() (transform/chain.hpp) more than that.
EncodedSize encode_chunk(const EncodingTask& task, std::span<std::byte> chunk, std::size_t bytes, EncodingTools& tools);

}  // namespace thalweg::transform
