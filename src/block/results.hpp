// What the writer tells back: sizes, which decide where chunks go, and what is written, for the writer that owns the
// files.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "block/record_sums.hpp"

namespace thalweg::block {

struct ChunksEncoded {
  int collection = 0;
  std::int64_t record = 0;          // or fixed_of_file
  std::vector<std::int64_t> sizes;  // coded by code_of, of each encoded chunk of its blocks, in their order
};
struct RecordWritten {
  int collection = 0;
  std::int64_t record = 0;
  std::int64_t file = 0;
  std::int64_t index_in_file = 0;
  Sums sums;
};
struct FileWritten {
  int collection = 0;
  std::int64_t file = 0;
  Sums sums;
};
// A file is written, of which the sums are asked for.
struct FileSummed {
  int collection = 0;
  std::int64_t file = 0;
  FileSums sums;
};
// Of a set, at its owner: all parts are written.
struct SetWritten {
  int collection = 0;
  std::int64_t file = 0;
};
// Of a set, elsewhere: the parts of this writer have their names.
struct PartsNamed {
  int collection = 0;
  std::int64_t file = 0;
};
using Result = std::variant<ChunksEncoded, RecordWritten, FileWritten, FileSummed, SetWritten, PartsNamed>;

// A size and whether the codec was skipped, as one number that fits into a message.
constexpr std::int64_t code_of(std::int64_t bytes, bool codec_skipped) {
  return bytes * 2 + (codec_skipped ? 1 : 0);
}
constexpr std::int64_t bytes_of_code(std::int64_t code) {
  return code / 2;
}
constexpr bool codec_skipped_in(std::int64_t code) {
  return code % 2 != 0;
}

}  // namespace thalweg::block
