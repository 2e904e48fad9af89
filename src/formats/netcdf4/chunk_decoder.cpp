#include "formats/netcdf4/chunk_decoder.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/little_endian.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

constexpr std::size_t sum_bytes = 4;

bool is_sum(const ChunkFilter& filter) {
  return filter.filter->place == transform::FilterPlace::checksum;
}

std::span<const std::byte> without_sum(const ChunkFilter& filter, std::span<const std::byte> bytes) {
  const std::size_t content = bytes.size() - std::min(bytes.size(), sum_bytes);
  if (content == 0 || filter.filter->sum(bytes.first(content)) != little_endian(bytes.subspan(content)))
    fail(THALWEG_ERROR_STORAGE, "the checksum of a chunk of {} bytes is another one", bytes.size());
  return bytes.first(content);
}

// As they follow each other in decoding.
std::vector<ChunkFilter> applied(std::span<const ChunkFilter> filters, std::uint32_t skipped) {
  std::vector<ChunkFilter> order;
  for (std::size_t i = filters.size(); i-- > 0;)
    if ((skipped >> i & 1U) == 0) order.push_back(filters[i]);
  return order;
}

}  // namespace

// The last filter but sums gives the values; those before it at most so many bytes more as sums have.
void ChunkDecoder::decode(std::span<const ChunkFilter> filters, std::uint32_t skipped,
                          std::span<const std::byte> stored, std::span<std::byte> values) {
  const std::vector<ChunkFilter> order = applied(filters, skipped);
  auto left = static_cast<std::size_t>(std::ranges::count_if(order, [](const auto& f) { return !is_sum(f); }));
  const std::size_t most_bytes = values.size() + sum_bytes * (order.size() - left);
  std::span<const std::byte> bytes = stored;
  bool is_in_place = false;
  for (const ChunkFilter& filter : order) {
    if (is_sum(filter)) {
      bytes = without_sum(filter, bytes);
      continue;
    }
    RawBytes& room = rooms_[left % rooms_.size()];
    is_in_place = --left == 0 && &filter == &order.back();
    if (!is_in_place) room.resize(std::max(most_bytes, bytes.size()));
    const std::span<std::byte> out = is_in_place ? values : std::span(room.data(), room.size());
    if (filter.filter->place == transform::FilterPlace::order && bytes.size() > out.size())
      fail(THALWEG_ERROR_STORAGE, "a chunk has {} bytes and not {}", bytes.size(), out.size());
    bytes = out.first(filter.filter->decode({.element_bytes = filter.element_bytes}, bytes, out));
  }
  if (bytes.size() != values.size())
    fail(THALWEG_ERROR_STORAGE, "a chunk has {} bytes and not {}", bytes.size(), values.size());
  if (!is_in_place) std::ranges::copy(bytes, values.begin());
}

}  // namespace thalweg::formats::netcdf4
