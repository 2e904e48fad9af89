#include "writer/block_objects.hpp"

#include <vector>

#include "store/shard.hpp"
#include "transform/filters.hpp"

namespace thalweg::writer {
namespace {

// Number of the object that holds the chunk, among those of a row of records.
std::int64_t object_of(const store::ZarrGrid& grid, const Box& chunk) {
  const Index objects = grid.objects();
  const int first = grid.has_record ? 1 : 0;
  std::int64_t number = 0;
  for (int d = 0; d < chunk.rank(); ++d) number = number * objects[first + d] + chunk.start[d] / grid.object[first + d];
  return number;
}

// Position of a chunk among those of its shard, of which a block at the edge of the variable has a part only.
std::int64_t position_in_shard(const store::ZarrGrid& grid, const store::PlannedBlock& block, std::int64_t position) {
  const Index chunks = grid.object_chunks();
  const int first = grid.has_record ? 1 : 0;
  const Box chunk = block.chunks->box(position);
  std::int64_t place = 0;
  for (int d = 0; d < chunk.rank(); ++d)
    place = place * chunks[first + d] + (chunk.start[d] - block.chunks->region.start[d]) / block.chunks->chunk[d];
  return place;
}

void put_shard(FileWriter& file, const store::ZarrFile& zarr, const store::PlannedBlock& block,
               std::int64_t index_in_file, std::span<const ChunkBytes> chunks) {
  const store::ZarrGrid& grid = zarr.grid(block.variable);
  std::vector<ChunkBytes> pieces(chunks.begin(), chunks.end());
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(grid.object_chunks().product()), store::missing_chunk);
  for (std::int64_t i = 0; i < std::ssize(chunks); ++i)
    bytes[static_cast<std::size_t>(position_in_shard(grid, block, i))] =
        std::ssize(chunks[static_cast<std::size_t>(i)]);
  const std::vector<std::byte> index = store::encode_shard_index(store::lay_out_shard(bytes), transform::crc32c);
  pieces.emplace_back(index);
  file.put_object(zarr.key(block.variable, index_in_file, object_of(grid, block.chunks->box(0))), pieces);
}

}  // namespace

void put_chunks(FileWriter& file, const store::ZarrFile& zarr, const store::PlannedBlock& block, const BlockRow& row,
                std::span<const ChunkBytes> chunks) {
  const store::ZarrGrid& grid = zarr.grid(block.variable);
  const std::int64_t chunk_records = grid.has_record ? grid.chunk[0] : 1;
  if (chunk_records == 1 && grid.object != grid.chunk) return put_shard(file, zarr, block, row.index_in_file, chunks);
  for (std::int64_t i = 0; i < std::ssize(chunks); ++i) {
    const ChunkBytes& chunk = chunks[static_cast<std::size_t>(i)];
    if (chunk_records > 1)
      file.growing_chunk({row.block, i}, block, chunk_records).put(row.index_in_file, chunk);
    else
      file.put_object(zarr.key(block.variable, row.index_in_file, object_of(grid, block.chunks->box(i))),
                      std::span(&chunk, 1));
  }
}

void put_growing_chunks(FileWriter& file, const store::CollectionPlan& plan, std::int64_t records) {
  file.put_growing_chunks(records, [&](const FileWriter::ChunkPlace& place, std::int64_t row) {
    const store::PlannedBlock& block = plan.record_blocks[static_cast<std::size_t>(place.first)];
    const store::ZarrGrid& grid = plan.zarr->grid(block.variable);
    return plan.zarr->key(block.variable, row * grid.chunk[0], object_of(grid, block.chunks->box(place.second)));
  });
}

}  // namespace thalweg::writer
