// Where the chunks of a dataset are in the file, read from HDF5's own index of them without the library: HDF5 1.10 goes
// through all chunks to tell of one.
// (source: HDF5 File Format Specification 3.0, III.A.1 "Disk Format: Level 1A1 - Version 1 B-trees")
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
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
  // root: its address in the file, whose addresses have 8 bytes; rank: of the dataset. The file outlives this.
  ChunkTree(const storage::Descriptor& file, std::string path, std::uint64_t root, int rank)
      : file_(file), path_(std::move(path)), root_(root), rank_(rank) {}

  // Those that begin in the box and were ever written. Nothing: the tree is damaged. Errors: STORAGE.
  std::optional<std::vector<StoredChunk>> beginning_in(const Box& box);

 private:
  struct Node {
    int level = 0;                     // 0: what is below are chunks
    std::vector<StoredChunk> entries;  // behind the last one, what says where it ends
    std::vector<std::uint64_t> below;  // addresses
  };

  static std::optional<Node> node_in(std::span<const std::byte> bytes, int rank);
  const Node* node_at(std::uint64_t address);
  bool find(std::uint64_t address, const Box& box, int above, std::vector<StoredChunk>& found);

  const storage::Descriptor& file_;
  std::string path_;
  std::uint64_t root_;
  int rank_;
  std::map<std::uint64_t, Node> nodes_;  // that were read
};

}  // namespace thalweg::formats::netcdf4
