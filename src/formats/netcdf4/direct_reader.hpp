// Values of a dataset, read where they lie in the file, without HDF5: in several threads, decoded by the libraries that
// are fastest, and without a place that all threads of the process wait for.
#pragma once

#include <bit>
#include <cstddef>
#include <mutex>
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

class DirectReader {
 public:
  // The file, and what is kept of it, outlive this.
  DirectReader(const storage::Descriptor& file, const std::string& path, StoredDataset dataset, KeptChunks& kept);

  std::endian order() const { return dataset_.order; }
  // Values of a box, with the record dimension, row-major in order(). False: cells of it were never written or do not
  // exist, or the file is damaged, which HDF5 then says better.
  bool read(const Box& box, std::span<std::byte> values);

 private:
  // What a thread decodes with.
  struct Tools {
    ChunkDecoder decoder;
    RawBytes stored, part;
  };
  // The cells of a chunk, and those of them that are wanted.
  struct Wanted {
    const StoredChunk& chunk;
    Box cells, part;
  };

  bool read_run(std::int64_t offset, std::span<std::byte> bytes) const;
  bool read_contiguous(const Box& box, std::span<std::byte> values) const;
  bool read_chunks(const Box& box, std::span<std::byte> values);
  bool read_chunk(const StoredChunk& chunk, const Box& box, std::span<std::byte> values, Tools& tools);
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
  KeptChunks& kept_;
  std::mutex kept_mutex_;  // of threads that decode for one read
  std::optional<ChunkTree> tree_;
  std::vector<Tools> tools_;  // of each thread
};

}  // namespace thalweg::formats::netcdf4
