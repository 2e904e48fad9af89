// A folder of objects: each chunk is one, or several are, as a shard.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "storage/growing_chunk.hpp"
#include "storage/object_store.hpp"
#include "storage/sink.hpp"

namespace thalweg::storage {

class ObjectSink final : public Sink {
 public:
  ObjectSink(const std::string& path, const block::CollectionPlan& plan, StorageAccess& access)
      : plan_(plan), access_(access), store_(path, plan.files.direct_io), identity_(store_.identity()) {}

  void write(std::span<const BlockToWrite> blocks) override;
  void gather(std::int64_t records) override;
  void sync() override { store_.sync(); }
  void commit(const block::Transaction& transaction) override;
  void close() override {}
  block::FileIdentity identity() const override { return identity_; }
  const profile::StorageCounters& counts() const override { return store_.counts(); }

 private:
  using ChunkBytes = std::span<const std::byte>;
  using ChunkPlace = std::pair<std::int64_t, std::int64_t>;  // block, and chunk in it

  void put_chunks(const BlockToWrite& block, std::span<const ChunkBytes> chunks);
  void put_shard(const BlockToWrite& block, std::span<const ChunkBytes> chunks);
  void put_object(const std::string& key, std::span<const ChunkBytes> pieces);
  GrowingChunk& growing_chunk(const ChunkPlace& place, const block::PlannedBlock& block, std::int64_t chunk_records);

  const block::CollectionPlan& plan_;
  StorageAccess& access_;
  ObjectStore store_;
  block::FileIdentity identity_;
  std::map<ChunkPlace, GrowingChunk> growing_;  // chunks that span several records of a small variable
};

}  // namespace thalweg::storage
