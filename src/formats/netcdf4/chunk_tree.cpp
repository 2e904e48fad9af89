#include "formats/netcdf4/chunk_tree.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "base/little_endian.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

constexpr std::uint64_t node_of_chunks = 1;
constexpr std::size_t node_head_bytes = 24;
constexpr std::size_t bytes_of_address = 8;
constexpr std::size_t usual_node_bytes = 4096;  // one of a dataset of three dimensions, as HDF5 makes them
constexpr std::size_t most_nodes = 256;         // that are kept
constexpr int any_level = -1;

// Its size and what it skipped; the offsets of its first cell, and of a byte in that, which is none.
constexpr std::size_t key_bytes(int rank) {
  return 8 + bytes_of_address * static_cast<std::size_t>(rank + 1);
}

constexpr std::size_t node_bytes(std::size_t entries, int rank) {
  return node_head_bytes + entries * (key_bytes(rank) + bytes_of_address) + key_bytes(rank);
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
        static_cast<std::int64_t>(little_endian(bytes.subspan(8 + d * bytes_of_address, bytes_of_address))));
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
    const std::uint64_t address = little_endian(left.subspan(key_bytes(rank), bytes_of_address));
    if (address > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    node.entries.back().offset = static_cast<std::int64_t>(address);
    node.below.push_back(address);
    left = left.subspan(key_bytes(rank) + bytes_of_address);
  }
  return node;
}

// Null: there is none.
std::shared_ptr<const ChunkTree::Node> ChunkTree::node_at(std::uint64_t address) {
  if (const auto known = nodes_.find(address); known != nodes_.end()) return known->second;
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
  if (!node) return nullptr;
  if (nodes_.size() >= most_nodes) nodes_.clear();
  return nodes_.emplace(address, std::make_shared<const Node>(*std::move(node))).first->second;
}

// The first cell of a chunk lies where a chunk begins, and those of all of them ascend. Whatever is damaged, none is
// taken for another one then, nor for one that was never written, as HDF5 1.10 does.
void ChunkTree::add(const StoredChunk& chunk, Search& search) const {
  for (int d = 0; d < rank_; ++d)
    if (chunk.first[d] % extents_[d] != 0) refuse(chunk, "where none begins");
  if (!search.found.empty() && !is_before(search.found.back().first, chunk.first))
    refuse(chunk, "behind that at cell " + to_string(search.found.back().first));
  search.found.push_back(chunk);
}

void ChunkTree::refuse(const StoredChunk& chunk, const std::string& why) const {
  fail(THALWEG_ERROR_STORAGE, "the index of chunks in '{}' is damaged: it has one at cell {}, {}", path_,
       to_string(chunk.first), why);
}

// level: of the node, if it is known.
bool ChunkTree::find(std::uint64_t address, int level, Search& search) {
  const std::shared_ptr<const Node> node = --search.nodes_left >= 0 ? node_at(address) : nullptr;
  if (!node || (level != any_level && node->level != level)) return false;
  const Index last = last_of(search.first_cells);
  for (std::size_t i = 0; i < node->below.size(); ++i) {
    const Index& first = node->entries[i].first;
    if (is_before(last, first)) break;
    if (node->level == 0) {
      if (has(search.first_cells, first)) add(node->entries[i], search);
    } else if (is_before(search.first_cells.start, node->entries[i + 1].first)) {
      if (!find(node->below[i], node->level - 1, search)) return false;
    }
  }
  return true;
}

std::optional<std::vector<StoredChunk>> ChunkTree::all_with_cells_of(const Box& box) {
  Search search{box, storage::size_of_file(file_, path_) / static_cast<std::int64_t>(node_bytes(1, rank_))};
  for (int d = 0; d < rank_; ++d) {
    search.first_cells.start[d] = box.start[d] / extents_[d] * extents_[d];
    search.first_cells.count[d] = box.stop(d) - search.first_cells.start[d];
  }
  if (!find(root_, any_level, search)) return std::nullopt;
  const bool is_all = std::ssize(search.found) == divide_up(search.first_cells.count, extents_).product();
  return is_all ? std::optional(std::move(search.found)) : std::nullopt;
}

}  // namespace thalweg::formats::netcdf4
