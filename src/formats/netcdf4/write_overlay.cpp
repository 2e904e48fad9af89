#include "formats/netcdf4/write_overlay.hpp"

#include <algorithm>
#include <iterator>

namespace thalweg::formats::netcdf4 {
WriteOverlay::Pieces::const_iterator WriteOverlay::first_touching(std::int64_t offset) const {
  auto piece = pieces_.upper_bound(offset);
  if (piece != pieces_.begin() && end_of(*std::prev(piece)) > offset) --piece;
  return piece;
}

// Removes [begin, end) and keeps what pieces hold on either side of it.
void WriteOverlay::cut(std::int64_t begin, std::int64_t end) {
  for (auto piece = first_touching(begin); piece != pieces_.end() && piece->first < end;) {
    const std::int64_t offset = piece->first;
    auto [bytes, order] = std::move(pieces_.extract(piece++).mapped());
    if (offset + std::ssize(bytes) > end) pieces_[end] = {{bytes.begin() + (end - offset), bytes.end()}, order};
    if (offset >= begin) continue;
    bytes.resize(static_cast<std::size_t>(begin - offset));
    pieces_[offset] = {std::move(bytes), order};
  }
}

void WriteOverlay::write(std::int64_t offset, std::span<const std::byte> bytes, WriteOrder order) {
  if (bytes.empty()) return;
  const auto same = pieces_.find(offset);
  if (same == pieces_.end() || same->second.bytes.size() != bytes.size()) cut(offset, offset + std::ssize(bytes));
  Piece& piece = pieces_[offset];
  piece.bytes.assign(bytes.begin(), bytes.end());
  piece.order = order;
}

void WriteOverlay::write(const WriteOverlay& later) {
  for (const auto& [offset, piece] : later.pieces_) write(offset, piece.bytes, piece.order);
}

void WriteOverlay::cover(std::int64_t offset, std::span<std::byte> bytes) const {
  const std::int64_t end = offset + std::ssize(bytes);
  for (auto piece = first_touching(offset); piece != pieces_.end() && piece->first < end; ++piece) {
    const auto& held = piece->second.bytes;
    const std::int64_t from = std::max(offset, piece->first);
    const std::int64_t to = std::min(end, end_of(*piece));
    std::copy(held.begin() + (from - piece->first), held.begin() + (to - piece->first),
              bytes.begin() + (from - offset));
  }
}

std::vector<block::MetadataWrite> WriteOverlay::joined(WriteOrder order, const Choice& is_chosen) const {
  std::vector<block::MetadataWrite> writes;
  for (const auto& [offset, piece] : pieces_) {
    if (piece.order != order || !is_chosen(offset)) continue;
    if (writes.empty() || writes.back().end() != offset) writes.push_back({offset, {}});
    writes.back().bytes.insert(writes.back().bytes.end(), piece.bytes.begin(), piece.bytes.end());
  }
  return writes;
}

void WriteOverlay::each(const std::function<void(std::int64_t, std::span<const std::byte>)>& action) const {
  for (const auto& [offset, piece] : pieces_) action(offset, piece.bytes);
}

void WriteOverlay::each(const std::function<void(std::int64_t, std::span<std::byte>)>& action) {
  for (auto& [offset, piece] : pieces_) action(offset, piece.bytes);
}

std::vector<std::byte> WriteOverlay::take(std::int64_t offset) {
  return std::move(pieces_.extract(offset).mapped().bytes);
}

}  // namespace thalweg::formats::netcdf4
