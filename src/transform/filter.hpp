// The registry of filters: what can be done to the bytes of a chunk on its way to the storage. Each is a row, defined
// in a file of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <typeindex>
#include <vector>

#include "config/filter.hpp"

namespace thalweg::transform {

using config::Codec;

// What filters keep from chunk to chunk; each thread has its own.
class WorkingMemory {
 public:
  template <typename T>
  T& of() {
    std::shared_ptr<void>& kept = kept_[typeid(T)];
    if (kept == nullptr) kept = std::make_shared<T>();
    return *static_cast<T*>(kept.get());
  }

 private:
  std::map<std::type_index, std::shared_ptr<void>> kept_;
};

struct Filter;

// What a filter is told beside the bytes.
struct FilterCall {
  int level = 0;
  std::size_t element_bytes = 1;
  std::size_t stored = 0;          // so many bytes in front the codec does not look at: it could not make them smaller
  const Filter* inside = nullptr;  // of a container: the codec
};

// In this order filters follow each other in a chain.
enum class FilterPlace { order, codec, checksum };

// A function that is null is not had.
struct Filter {
  config::FilterDescription description;
  FilterPlace place = FilterPlace::codec;

  // ---- into another buffer
  // What so many bytes become at most.
  std::size_t (*bound)(const FilterCall& call, std::size_t bytes) = nullptr;
  // The bytes written to out; nothing, if they do not fit into it, whose content is undefined then.
  std::optional<std::size_t> (*encode)(const FilterCall& call, std::span<const std::byte> in, std::span<std::byte> out,
                                       WorkingMemory& memory) = nullptr;
  bool can_store = false;  // FilterCall::stored is heeded
  // The inverse: the bytes written. Errors: STORAGE, if in is damaged or its content does not fit into out.
  std::size_t (*decode)(const FilterCall& call, std::span<const std::byte> in, std::span<std::byte> out) = nullptr;
  std::size_t (*content_bytes)(std::span<const std::byte> in) = nullptr;  // what decode() writes. Errors: STORAGE

  // ---- or behind them: a checksum, which follows them as four bytes, the lowest first
  std::uint32_t (*sum)(std::span<const std::byte> bytes) = nullptr;

  // ---- what readers are told
  std::vector<unsigned> (*hdf5_values)(int level) = nullptr;
  std::string (*zarr_json)(const FilterCall& call) = nullptr;
  const Filter* zarr_container = nullptr;  // of a codec: in which Zarr has it behind a shuffle
};

const std::vector<const Filter*>& filters();

// None: a copy.
const Filter& filter_of(Codec codec);

// Compresses chunk after chunk. Its working memory is had when it is first needed, and kept: one Compressor a thread.
class Compressor {
 public:
  // Filter::encode; a caller that stores chunks raw unless they shrink passes an out smaller than in.
  std::optional<std::size_t> compress(Codec codec, int level, std::span<const std::byte> in, std::span<std::byte> out) {
    return filter_of(codec).encode({.level = level}, in, out, memory_);
  }
  // The same, with FilterCall::stored. Every decoder reads it, because formats have blocks for that.
  std::optional<std::size_t> compress_behind(std::size_t stored, Codec codec, int level, std::span<const std::byte> in,
                                             std::span<std::byte> out) {
    return filter_of(codec).encode({.level = level, .stored = stored}, in, out, memory_);
  }

  WorkingMemory& memory() { return memory_; }

 private:
  WorkingMemory memory_;
};

// Filter::decode.
std::size_t decompress(Codec codec, std::span<const std::byte> in, std::span<std::byte> out);

// Refuses (ARGUMENT) a level that the codec has not.
void check_level(const config::FilterDescription& codec, int level);

// Copies in, cut into blocks of at most so many bytes, each behind its head, and returns what follows. For codecs that
// have blocks for bytes as they are.
template <typename PutHead>
std::byte* put_blocks(std::byte* at, std::span<const std::byte> in, std::size_t block_bytes, const PutHead& put_head) {
  for (std::size_t begin = 0; begin < in.size(); begin += block_bytes) {
    const auto block = in.subspan(begin, std::min(block_bytes, in.size() - begin));
    at = std::copy(block.begin(), block.end(), put_head(at, block.size()));
  }
  return at;
}

// What that makes of so many bytes.
constexpr std::size_t with_heads(std::size_t bytes, std::size_t block_bytes, std::size_t head_bytes) {
  return bytes + (bytes + block_bytes - 1) / block_bytes * head_bytes;
}

}  // namespace thalweg::transform
