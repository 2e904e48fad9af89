#include "storage/object_sink.hpp"

#include <vector>

#include "storage/file_identity.hpp"

namespace thalweg::storage {
namespace {

// Number of the object that holds the chunk, among those of a row of records.
std::int64_t object_of(const block::ObjectGrid& grid, const Box& chunk) {
  const Index objects = grid.objects();
  const int first = grid.has_record ? 1 : 0;
  std::int64_t number = 0;
  for (int d = 0; d < chunk.rank(); ++d) number = number * objects[first + d] + chunk.start[d] / grid.object[first + d];
  return number;
}

// Position of a chunk among those of its shard, of which a block at the edge of the variable has a part only.
std::int64_t position_in_shard(const block::ObjectGrid& grid, const block::PlannedBlock& block, std::int64_t position) {
  const Index chunks = grid.object_chunks();
  const int first = grid.has_record ? 1 : 0;
  const Box chunk = block.chunks->box(position);
  std::int64_t place = 0;
  for (int d = 0; d < chunk.rank(); ++d)
    place = place * chunks[first + d] + (chunk.start[d] - block.chunks->region.start[d]) / block.chunks->chunk[d];
  return place;
}

}  // namespace

void ObjectSink::write(std::span<const BlockToWrite> blocks) {
  std::vector<ChunkBytes> chunks;
  for (const BlockToWrite& block : blocks) {
    chunks.clear();
    for (std::int64_t i = 0; i < block.block->map.run_count; ++i) {
      const block::Run run = block.run(i);
      chunks.emplace_back(block.data + run.block_offset, static_cast<std::size_t>(run.bytes));
    }
    put_chunks(block, chunks);
  }
}

// Each as an object, all as one shard, or, where a chunk spans several records, into memory until it is complete or its
// records are committed.
void ObjectSink::put_chunks(const BlockToWrite& of, std::span<const ChunkBytes> chunks) {
  const block::PlannedBlock& block = *of.block;
  const block::ObjectGrid& grid = plan_.files.objects->grid(block.variable);
  const std::int64_t chunk_records = grid.has_record ? grid.chunk[0] : 1;
  if (chunk_records == 1 && grid.object != grid.chunk) return put_shard(of, chunks);
  for (std::int64_t i = 0; i < std::ssize(chunks); ++i) {
    const ChunkBytes& chunk = chunks[static_cast<std::size_t>(i)];
    if (chunk_records > 1)
      growing_chunk({of.number, i}, block, chunk_records).put(of.place.index_in_file, chunk);
    else
      put_object(
          plan_.files.objects->key(block.variable, of.place.index_in_file, object_of(grid, block.chunks->box(i))),
          std::span(&chunk, 1));
  }
}

void ObjectSink::put_shard(const BlockToWrite& of, std::span<const ChunkBytes> chunks) {
  const block::PlannedBlock& block = *of.block;
  const block::ObjectGrid& grid = plan_.files.objects->grid(block.variable);
  std::vector<ChunkBytes> pieces(chunks.begin(), chunks.end());
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(grid.object_chunks().product()), block::missing_chunk);
  for (std::int64_t i = 0; i < std::ssize(chunks); ++i)
    bytes[static_cast<std::size_t>(position_in_shard(grid, block, i))] =
        std::ssize(chunks[static_cast<std::size_t>(i)]);
  const std::vector<std::byte> index = plan_.files.objects->index_of(bytes);
  pieces.emplace_back(index);
  put_object(plan_.files.objects->key(block.variable, of.place.index_in_file, object_of(grid, block.chunks->box(0))),
             pieces);
}

void ObjectSink::put_object(const std::string& key, std::span<const ChunkBytes> pieces) {
  const auto call = access_.call(staging::WriterActivity::write);
  std::int64_t bytes = 0;
  for (const ChunkBytes& piece : pieces) bytes += std::ssize(piece);
  access_.pace(bytes);
  store_.put(key, pieces, stable_with(plan_.files.durability));
}

GrowingChunk& ObjectSink::growing_chunk(const ChunkPlace& place, const block::PlannedBlock& block,
                                        std::int64_t chunk_records) {
  return growing_.try_emplace(place, block.type, block.map.run_bytes, chunk_records, block.fill).first->second;
}

void ObjectSink::gather(std::int64_t records) {
  for (auto& [place, chunk] : growing_) {
    const block::PlannedBlock& block = plan_.record_blocks[static_cast<std::size_t>(place.first)];
    const block::ObjectGrid& grid = plan_.files.objects->grid(block.variable);
    const std::int64_t object = object_of(grid, block.chunks->box(place.second));
    chunk.commit(records, [&](std::int64_t row, ChunkBytes bytes) {
      put_object(plan_.files.objects->key(block.variable, row * grid.chunk[0], object), std::span(&bytes, 1));
    });
  }
}

void ObjectSink::commit(const block::Transaction& transaction) {
  require_same(identity_, store_.path());
  apply(store_, *transaction.objects, stable_with(plan_.files.durability));
}

}  // namespace thalweg::storage
