// CollectionWriter: blocks of formats whose chunks are objects with names of their own.
#include "store/shard.hpp"
#include "transform/filters.hpp"
#include "writer/collection_writer.hpp"

namespace thalweg::writer {
namespace {

using Piece = std::span<const std::byte>;

// Number of the object that holds the chunk, among those of a row of records.
std::int64_t object_number(const store::ZarrGrid& grid, const Box& chunk) {
  const Index objects = grid.objects();
  const int first = grid.has_record ? 1 : 0;
  std::int64_t number = 0;
  for (int d = 0; d < chunk.rank(); ++d) number = number * objects[first + d] + chunk.start[d] / grid.object[first + d];
  return number;
}

// Position of a chunk among those of its shard, of which a block at the edge of the variable has a part only.
std::int64_t place_in_shard(const store::ZarrGrid& grid, const store::PlannedBlock& block, std::int64_t position) {
  const Index chunks = grid.object_chunks();
  const int first = grid.has_record ? 1 : 0;
  const Box chunk = block.chunks->box(position);
  std::int64_t place = 0;
  for (int d = 0; d < chunk.rank(); ++d)
    place = place * chunks[first + d] + (chunk.start[d] - block.chunks->region.start[d]) / block.chunks->chunk[d];
  return place;
}

}  // namespace

void CollectionWriter::put_objects(FileWriter& file, const ReadyBlock& ready, std::int64_t index_in_file) {
  const store::PlannedBlock& block = planned(plan_, ready);
  const store::ZarrGrid& grid = plan_.zarr->grid(block.variable);
  std::byte* data = block_data(ready);
  const std::vector<EncodedSize>* sizes = sizes_.of(ready);
  if (sizes == nullptr) fill_holes(ready, data);
  const std::int64_t chunk_records = grid.has_record ? grid.chunk[0] : 1;
  const auto piece = [&](std::int64_t i) {
    const store::Run run = block.map.run(i);
    const std::int64_t bytes = sizes == nullptr ? run.bytes : (*sizes)[static_cast<std::size_t>(i)].bytes;
    return Piece(data + run.block_offset, static_cast<std::size_t>(bytes));
  };
  if (chunk_records > 1) {
    for (std::int64_t i = 0; i < block.map.run_count; ++i)
      file.growing_chunk({ready.block, i}, block, chunk_records).put(index_in_file, piece(i));
    return;
  }
  if (grid.object == grid.chunk) {
    for (std::int64_t i = 0; i < block.map.run_count; ++i) {
      const Piece one = piece(i);
      file.put_object(plan_.zarr->key(block.variable, index_in_file, object_number(grid, block.chunks->box(i))),
                      std::span(&one, 1));
    }
    return;
  }
  std::vector<Piece> pieces;
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(grid.object_chunks().product()), store::missing_chunk);
  for (std::int64_t i = 0; i < block.map.run_count; ++i) {
    pieces.push_back(piece(i));
    bytes[static_cast<std::size_t>(place_in_shard(grid, block, i))] = std::ssize(pieces.back());
  }
  const std::vector<std::byte> index = store::encode_shard_index(store::lay_out_shard(bytes), transform::crc32c);
  pieces.emplace_back(index);
  file.put_object(plan_.zarr->key(block.variable, index_in_file, object_number(grid, block.chunks->box(0))), pieces);
}

void CollectionWriter::put_growing_chunks(FileWriter& file, std::int64_t records) const {
  file.put_growing_chunks(records, [&](const FileWriter::ChunkPlace& place, std::int64_t row) {
    const store::PlannedBlock& block = plan_.record_blocks[static_cast<std::size_t>(place.first)];
    const store::ZarrGrid& grid = plan_.zarr->grid(block.variable);
    return plan_.zarr->key(block.variable, row * grid.chunk[0], object_number(grid, block.chunks->box(place.second)));
  });
}

}  // namespace thalweg::writer
