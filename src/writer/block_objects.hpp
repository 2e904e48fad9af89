// Puts blocks of formats whose chunks are objects with names of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "store/orders.hpp"
#include "writer/file_writer.hpp"

namespace thalweg::writer {

using ChunkBytes = std::span<const std::byte>;

// A block of a writer, and the number of its record in the file.
struct BlockRow {
  std::int64_t block = 0;
  std::int64_t index_in_file = 0;
};

// Puts the chunks of a block as they are stored: each as an object, all as one shard, or, where a chunk spans several
// records, into memory until it is complete or its records are committed.
void put_chunks(FileWriter& file, const store::ZarrFile& zarr, const store::PlannedBlock& block, const BlockRow& row,
                std::span<const ChunkBytes> chunks);

// Chunks that span several records and hold some that are to become visible: so many in the file.
void put_growing_chunks(FileWriter& file, const store::CollectionPlan& plan, std::int64_t records);

}  // namespace thalweg::writer
