// Values of a dataset, read where they lie in the file, without HDF5: in several threads, decoded by the libraries that
// are fastest, and without a place that all threads of the process wait for.
#pragma once

#include <bit>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/raw_bytes.hpp"
#include "formats/kept_chunks.hpp"
#include "formats/netcdf4/chunk_decoder.hpp"
#include "formats/netcdf4/chunk_tree.hpp"
#include "formats/netcdf4/stored_dataset.hpp"

namespace thalweg::formats::netcdf4 {

// What the readers of a file have in common, because one reads at a time.
struct DecodingRooms {
  // What a thread decodes with.
  struct Tools {
    ChunkDecoder decoder;
    RawBytes stored, part;
  };
  KeptChunks kept;
  std::vector<Tools> tools;  // of each thread
  RawBytes rows;
};

class DirectReader {
 public:
  // The file and the rooms outlive this.
  DirectReader(const storage::Descriptor& file, const std::string& path, StoredDataset dataset, DecodingRooms& rooms);

  std::endian order() const { return dataset_.order; }
  // Values of a box, with the record dimension, row-major in order(). False: HDF5 has to be asked, because cells of it
  // were never written or do not exist, or because of fault(). Errors: STORAGE, for an index of chunks of which it is
  // certain that it is damaged; MEMORY.
  bool read(const Box& box, std::span<std::byte> values);
  // Why the last box was not read, if something is wrong with the file; "": nothing is.
  const std::string& fault() const { return fault_; }

 private:
  using Tools = DecodingRooms::Tools;
  // The cells of a chunk, and those of them that are wanted.
  struct Wanted {
    const StoredChunk& chunk;
    Box cells, part;
  };

  bool read_run(std::int64_t offset, std::span<std::byte> bytes) const;
  bool read_stored(std::int64_t begin, const Box& outer, const Box& part, RawBytes& room,
                   std::span<std::byte> values) const;
  bool read_chunks(const std::vector<StoredChunk>& chunks, const Box& box, std::span<std::byte> values);
  bool read_chunk(const StoredChunk& chunk, const Box& box, std::span<std::byte> values, Tools& tools);
  bool read_wanted(const Wanted& wanted, const Box& box, std::span<std::byte> values, Tools& tools);
  bool read_whole(const Wanted& wanted, const Box& box, std::span<std::byte> values, Tools& tools);
  bool read_part(const Wanted& wanted, const Box& box, std::span<std::byte> values, Tools& tools);
  bool read_plain(const Wanted& wanted, const Box& box, std::span<std::byte> values, Tools& tools) const;
  bool decode(const StoredChunk& chunk, std::span<std::byte> values, Tools& tools) const;
  std::size_t bytes_of(const Box& cells) const {
    return static_cast<std::size_t>(cells.cells()) * size_of(dataset_.type);
  }

  const storage::Descriptor& file_;
  std::string path_;
  StoredDataset dataset_;
  DecodingRooms& rooms_;
  std::optional<ChunkTree> tree_;
  std::int64_t end_ = 0;  // of the file, when the box was asked for
  std::string fault_;
};

}  // namespace thalweg::formats::netcdf4
