#include "formats/zarr/chunk_codecs.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/element_bits.hpp"
#include "base/error.hpp"
#include "transform/filters.hpp"

namespace thalweg::formats::zarr {
namespace {

using transform::Filter;

constexpr std::size_t sum_bytes = 4;

bool is_codec(const Filter* filter) {
  return filter->place == transform::FilterPlace::codec;
}

// Codecs of the library numcodecs, and so those of version 2, have the names that it has for them. Its checksums are
// others than those of version 3.
const Filter* filter_of_numcodecs(std::string_view name) {
  if (name == "zlib") return &transform::filter_of(config::codec_named("deflate"));
  for (const Filter* filter : transform::filters())
    if (is_codec(filter) && filter->description.zarr == name) return filter;
  return nullptr;
}

// Null: none that is known here.
const Filter* filter_in(const Json& codec) {
  constexpr std::string_view of_numcodecs = "numcodecs.";
  const std::string name = codec.at("name");
  const Json configuration = codec.value("configuration", Json::object());
  if (name.empty() ||
      (configuration.contains("cname") && !transform::reads_in_blosc(configuration.at("cname").get<std::string>())))
    return nullptr;
  if (name.starts_with(of_numcodecs)) return filter_of_numcodecs(name.substr(of_numcodecs.size()));
  for (const Filter* filter : transform::filters())
    if (filter->description.zarr == name) return filter;
  return nullptr;
}

void take_sum(const Filter& filter, std::vector<std::byte>& bytes) {
  if (bytes.size() < sum_bytes)
    fail(THALWEG_ERROR_STORAGE, "it has {} bytes, too few for its checksum: it was cut short", bytes.size());
  std::uint32_t said = 0;
  std::memcpy(&said, bytes.data() + bytes.size() - sum_bytes, sum_bytes);
  bytes.resize(bytes.size() - sum_bytes);
  if (const std::uint32_t found = filter.sum(bytes); found != said)
    fail(THALWEG_ERROR_STORAGE, "its checksum ({}) is {:08x} and not {:08x}: it is damaged", filter.description.name,
         found, said);
}

}  // namespace

ChunkCodecs::ChunkCodecs(const Json& codecs, Type type) : element_bytes_(size_of(type)) {
  for (const Json& codec : codecs) add(codec);
  if (!has_bytes_) fail(THALWEG_ERROR_FORMAT, "its codecs {} have no 'bytes'", codecs.dump());
}

void ChunkCodecs::add(const Json& codec) {
  if (codec.at("name") == "bytes") {
    is_big_endian_ = codec.value("configuration", Json::object()).value("endian", "little") == "big";
    has_bytes_ = true;
    return;
  }
  const Filter* filter = filter_in(codec);
  const bool is_second = filter != nullptr && is_codec(filter) && compresses();
  if (filter == nullptr || is_second || !has_bytes_)
    fail(THALWEG_ERROR_FORMAT, "it has the codec {}{}, which Thalweg does not read", codec.dump(),
         is_second ? " behind another one" : "");
  filters_.push_back(filter);
}

std::vector<std::byte> ChunkCodecs::decode(std::vector<std::byte> stored, std::size_t bytes) const {
  for (std::size_t left = filters_.size(); left-- > 0;) {
    const Filter& filter = *filters_[left];
    if (!is_codec(&filter)) {
      take_sum(filter, stored);
      continue;
    }
    std::vector<std::byte> content(bytes + left * sum_bytes);  // only sums are before a codec
    content.resize(filter.decode({.element_bytes = element_bytes_}, stored, content));
    stored = std::move(content);
  }
  if (stored.size() != bytes)
    fail(THALWEG_ERROR_STORAGE, "it has values of {} bytes and not of {}: it is damaged or was cut short",
         stored.size(), bytes);
  if (is_big_endian_) swap_bytes(stored, element_bytes_);
  return stored;
}

bool ChunkCodecs::compresses() const {
  return std::ranges::any_of(filters_, is_codec);
}

std::int64_t ChunkCodecs::stored_bytes(std::int64_t bytes) const {
  return bytes + static_cast<std::int64_t>(filters_.size() * sum_bytes);
}

}  // namespace thalweg::formats::zarr
