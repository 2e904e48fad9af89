#include "formats/netcdf4/chunk_tree.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/little_endian.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

constexpr std::uint64_t node_of_chunks = 1;
constexpr std::size_t node_head_bytes = 24;
constexpr std::size_t address_bytes = 8;
constexpr std::size_t usual_node_bytes = 4096;  // one of a dataset of three dimensions, as HDF5 makes them
constexpr std::size_t most_nodes = 4096;
constexpr int above_all = 256;

// Its size and what it skipped; the offsets of its first cell, and of a byte in that, which is none.
constexpr std::size_t key_bytes(int rank) {
  return 8 + address_bytes * static_cast<std::size_t>(rank + 1);
}

constexpr std::size_t node_bytes(std::size_t entries, int rank) {
  return node_head_bytes + entries * (key_bytes(rank) + address_bytes) + key_bytes(rank);
}

std::size_t entries_in(std::span<const std::byte> head) {
  return little_endian(head.subspan(6, 2));
}

StoredChunk key_in(std::span<const std::byte> bytes, int rank) {
  StoredChunk chunk;
  chunk.bytes = static_cast<std::int64_t>(little_endian(bytes.first(4)));
  chunk.skipped = static_cast<std::uint32_t>(little_endian(bytes.subspan(4, 4)));
  for (std::size_t d = 0; d < static_cast<std::size_t>(rank); ++d)
    chunk.first.push_back(
        static_cast<std::int64_t>(little_endian(bytes.subspan(8 + d * address_bytes, address_bytes))));
  return chunk;
}

bool is_before(const Index& a, const Index& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

Index last_of(const Box& box) {
  Index last = box.start;
  for (int d = 0; d < box.rank(); ++d) last[d] += box.count[d] - 1;
  return last;
}

bool has(const Box& box, const Index& cell) {
  for (int d = 0; d < box.rank(); ++d)
    if (cell[d] < box.start[d] || cell[d] >= box.stop(d)) return false;
  return true;
}

}  // namespace

// Entries in turn with what is below them: a key, an address, a key, …, a key.
std::optional<ChunkTree::Node> ChunkTree::node_in(std::span<const std::byte> bytes, int rank) {
  if (bytes.size() < node_head_bytes || std::memcmp(bytes.data(), "TREE", 4) != 0 ||
      little_endian(bytes.subspan(4, 1)) != node_of_chunks)
    return std::nullopt;
  const std::size_t entries = entries_in(bytes);
  if (bytes.size() < node_bytes(entries, rank)) return std::nullopt;
  Node node{static_cast<int>(little_endian(bytes.subspan(5, 1))), {}, {}};
  std::span<const std::byte> left = bytes.subspan(node_head_bytes);
  for (std::size_t i = 0; i <= entries; ++i) {
    node.entries.push_back(key_in(left, rank));
    if (i == entries) break;
    const std::uint64_t address = little_endian(left.subspan(key_bytes(rank), address_bytes));
    if (address > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    node.entries.back().offset = static_cast<std::int64_t>(address);
    node.below.push_back(address);
    left = left.subspan(key_bytes(rank) + address_bytes);
  }
  return node;
}

// Null: there is none.
const ChunkTree::Node* ChunkTree::node_at(std::uint64_t address) {
  if (const auto known = nodes_.find(address); known != nodes_.end()) return &known->second;
  if (address > std::numeric_limits<std::int64_t>::max() / 2) return nullptr;
  std::vector<std::byte> bytes(usual_node_bytes);
  const auto read = [&] {
    bytes.resize(static_cast<std::size_t>(
        storage::read_all(file_, path_, static_cast<std::int64_t>(address), bytes)));  // less at the end of the file
  };
  read();
  if (bytes.size() < node_head_bytes) return nullptr;
  if (const std::size_t all = node_bytes(entries_in(bytes), rank_); all > bytes.size()) {
    bytes.resize(all);
    read();
  }
  auto node = node_in(bytes, rank_);
  return node ? &nodes_.emplace(address, *std::move(node)).first->second : nullptr;
}

// above: the level of the node that this one is below.
bool ChunkTree::find(std::uint64_t address, const Box& box, int above, std::vector<StoredChunk>& found) {
  const Node* node = node_at(address);
  if (node == nullptr || node->level >= above) return false;
  const Index last = last_of(box);
  for (std::size_t i = 0; i < node->below.size(); ++i) {
    if (is_before(last, node->entries[i].first)) break;
    if (node->level == 0) {
      if (has(box, node->entries[i].first)) found.push_back(node->entries[i]);
    } else if (is_before(box.start, node->entries[i + 1].first)) {
      if (!find(node->below[i], box, node->level, found)) return false;
    }
  }
  return true;
}

std::optional<std::vector<StoredChunk>> ChunkTree::beginning_in(const Box& box) {
  if (nodes_.size() > most_nodes) nodes_.clear();
  std::vector<StoredChunk> found;
  if (!find(root_, box, above_all, found)) return std::nullopt;
  return found;
}

}  // namespace thalweg::formats::netcdf4
