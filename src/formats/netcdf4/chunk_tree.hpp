// Where the chunks of a dataset are in the file, read from HDF5's own index of them without the library: HDF5 1.10 goes
// through all chunks to tell of one.
// (source: HDF5 File Format Specification 3.0, III.A.1 "Disk Format: Level 1A1 - Version 1 B-trees")
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats::netcdf4 {

struct StoredChunk {
  Index first;  // its first cell, in the dimensions of the dataset
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::uint32_t skipped = 0;  // bit by bit, filters that it has not gone through
};

class ChunkTree {
 public:
  // root: its address in the file, whose addresses have 8 bytes; extents: of a chunk. The file outlives this.
  ChunkTree(const storage::Descriptor& file, std::string path, std::uint64_t root, const Index& extents)
      : file_(file), path_(std::move(path)), root_(root), extents_(extents), rank_(extents.rank()) {}

  // All that have cells of the box. Nothing: not each of them was written, or the tree is damaged. Errors: STORAGE.
  std::optional<std::vector<StoredChunk>> all_with_cells_of(const Box& box);

 private:
  struct Node {
    int level = 0;                     // 0: what is below are chunks
    std::vector<StoredChunk> entries;  // behind the last one, what says where it ends
    std::vector<std::uint64_t> below;  // addresses
  };

  static std::optional<Node> node_in(std::span<const std::byte> bytes, int rank);
  // What is looked for, and what was found of it.
  struct Search {
    Box first_cells;
    std::int64_t nodes_left = 0;  // as many as there may be in the file
    std::vector<StoredChunk> found{};
  };

  std::shared_ptr<const Node> node_at(std::uint64_t address);
  bool find(std::uint64_t address, int level, Search& search);
  void add(const StoredChunk& chunk, Search& search) const;
  [[noreturn]] void refuse(const StoredChunk& chunk, const std::string& why) const;

  const storage::Descriptor& file_;
  std::string path_;
  std::uint64_t root_;
  Index extents_;
  int rank_;
  std::map<std::uint64_t, std::shared_ptr<const Node>> nodes_;  // that were read
};

}  // namespace thalweg::formats::netcdf4
