#include "store/write_overlay.hpp"

#include <algorithm>
#include <iterator>

namespace thalweg::store {
namespace {

std::int64_t end_of(const std::pair<const std::int64_t, std::vector<std::byte>>& piece) {
  return piece.first + std::ssize(piece.second);
}

}  // namespace

WriteOverlay::Pieces::const_iterator WriteOverlay::first_touching(std::int64_t offset) const {
  auto piece = pieces_.upper_bound(offset);
  if (piece != pieces_.begin() && end_of(*std::prev(piece)) > offset) --piece;
  return piece;
}

// Removes [begin, end) and keeps what pieces hold on either side of it.
void WriteOverlay::cut(std::int64_t begin, std::int64_t end) {
  for (auto piece = first_touching(begin); piece != pieces_.end() && piece->first < end;) {
    const std::int64_t offset = piece->first;
    std::vector<std::byte> bytes = std::move(pieces_.extract(piece++).mapped());
    if (offset + std::ssize(bytes) > end) pieces_[end].assign(bytes.begin() + (end - offset), bytes.end());
    if (offset >= begin) continue;
    bytes.resize(static_cast<std::size_t>(begin - offset));
    pieces_[offset] = std::move(bytes);
  }
}

void WriteOverlay::write(std::int64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const auto same = pieces_.find(offset);
  if (same == pieces_.end() || same->second.size() != bytes.size()) cut(offset, offset + std::ssize(bytes));
  pieces_[offset].assign(bytes.begin(), bytes.end());
}

void WriteOverlay::write(const WriteOverlay& later) {
  for (const auto& [offset, bytes] : later.pieces_) write(offset, bytes);
}

void WriteOverlay::cover(std::int64_t offset, std::span<std::byte> bytes) const {
  const std::int64_t end = offset + std::ssize(bytes);
  for (auto piece = first_touching(offset); piece != pieces_.end() && piece->first < end; ++piece) {
    const std::int64_t from = std::max(offset, piece->first);
    const std::int64_t to = std::min(end, end_of(*piece));
    std::copy(piece->second.begin() + (from - piece->first), piece->second.begin() + (to - piece->first),
              bytes.begin() + (from - offset));
  }
}

std::vector<MetadataWrite> WriteOverlay::joined() const {
  std::vector<MetadataWrite> writes;
  for (const auto& [offset, bytes] : pieces_) {
    if (writes.empty() || writes.back().offset + std::ssize(writes.back().bytes) != offset)
      writes.push_back({offset, {}});
    writes.back().bytes.insert(writes.back().bytes.end(), bytes.begin(), bytes.end());
  }
  return writes;
}

}  // namespace thalweg::store
