// Zarr v3: a folder of objects. A chunk, or a shard, is an object of its own, so that any process writes it without
// asking anybody where; what makes records visible are the few objects named zarr.json.
// docs/formats/zarr.md describes the store and what a reader of a growing one sees.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "block/transaction.hpp"
#include "formats/zarr/metadata.hpp"
#include "storage/object_store.hpp"

namespace thalweg::formats::zarr {

// A store as every rank knows it. No state, hence none that could be out of step with the storage: commits may be made
// ahead, by any rank.
class ZarrFile : public block::ObjectLayout {
 public:
  // All ranks make the same. Refuses (FORMAT) what Zarr cannot hold.
  explicit ZarrFile(const catalog::Definition& definition);

  // Makes the folder at path (which must not exist) with all arrays, of 0 records. Errors: STORAGE.
  void create(const std::string& path, storage::Stable stable) const;

  std::string key(int variable, std::int64_t record, std::int64_t object) const override;
  std::vector<std::byte> index_of(std::span<const std::int64_t> chunk_bytes) const override;
  const block::ObjectGrid& grid(int variable) const override { return joined_[static_cast<std::size_t>(variable)]; }

  // Makes the first `records` records visible. Ascending calls.
  block::ObjectCommit commit(std::int64_t records) const;

  // The same for the complete store: nothing may follow.
  block::ObjectCommit close(std::int64_t records) const;
  // And where the store was created with other attributes.
  block::ObjectCommit close_changed(std::int64_t records) const;

 private:
  block::ObjectCommit commit_of(std::int64_t records, bool all_arrays) const;

  std::string record_dimension_;
  std::vector<std::string> names_;
  std::vector<block::ObjectGrid> grids_;
  std::vector<block::ObjectGrid> joined_;  // as blocks are cut
  ZarrMetadata metadata_;
};

// Object that only a growing store has; it tells recovery which dimension grows, which Zarr itself does not say.
constexpr const char* zarr_mark = "thalweg.json";
constexpr const char* zarr_json = "zarr.json";
bool is_zarr_store(const std::string& path);  // whole or not

// A folder in which there is nothing but what a store consists of. Errors: STORAGE, naming the first thing that is
// something else.
void require_zarr_alone(const std::string& path);

// Makes a store left by a killed run a complete one: cuts arrays to the records that its root shows, deletes chunks
// beyond them and left-over temporaries, and returns their number. A complete store is left as it is; its number of
// records is that of its time coordinate. Errors: STORAGE, FORMAT.
std::int64_t recover_zarr(const std::string& path);

}  // namespace thalweg::formats::zarr
