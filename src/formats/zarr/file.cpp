#include "formats/zarr/file.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "formats/zarr/shard.hpp"
#include "formats/zarr/values.hpp"
#include "transform/filters.hpp"

namespace thalweg::formats::zarr {

bool is_zarr_store(const std::string& path) {
  return std::filesystem::exists(path + "/" + zarr_json);
}

ZarrFile::ZarrFile(const catalog::Definition& definition)
    : record_dimension_(definition.record_dimension), metadata_(zarr_metadata(definition)) {
  for (const catalog::Variable& variable : definition.variables) {
    names_.push_back(variable.name);
    grids_.push_back(zarr_grid(definition, variable));
    joined_.push_back(joined_grid(grids_.back(), variable.joined));
  }
}

// The root comes last: without it the folder is no store yet.
void ZarrFile::create(const std::string& path, storage::Stable stable) const {
  if (::mkdir(path.c_str(), 0777) != 0) storage::fail_storage(fmt::format("create '{}'", path), errno);
  storage::ObjectStore store(path, config::DirectIo::off);
  store.put(zarr_mark, Json{{"record_dimension", record_dimension_}}.dump(), stable);
  for (std::size_t v = 0; v < names_.size(); ++v)
    store.put(names_[v] + "/" + zarr_json, metadata_.arrays[v].at(0), stable);
  store.put(zarr_json, metadata_.root.at(0), stable);
  if (stable == storage::Stable::at_once || (stable == storage::Stable::at_sync && store.syncs_each()))
    store.sync_folders();
}

std::string ZarrFile::key(int variable, std::int64_t record, std::int64_t object) const {
  const auto v = static_cast<std::size_t>(variable);
  return zarr_key(names_[v], grids_[v], record, object);
}

std::vector<std::byte> ZarrFile::index_of(std::span<const std::int64_t> chunk_bytes) const {
  return encode_shard_index(lay_out_shard(chunk_bytes), transform::crc32c);
}

block::ObjectCommit ZarrFile::commit(std::int64_t records) const {
  return commit_of(records, false);
}

block::ObjectCommit ZarrFile::commit_of(std::int64_t records, bool all_arrays) const {
  block::ObjectCommit commit;
  commit.records = records;
  for (std::size_t v = 0; v < names_.size(); ++v)
    if (all_arrays || metadata_.arrays[v].grows())
      commit.objects.push_back({names_[v] + "/" + zarr_json, metadata_.arrays[v].at(records)});
  commit.objects.push_back({zarr_json, metadata_.root.at(records)});
  return commit;
}

block::ObjectCommit ZarrFile::close(std::int64_t records) const {
  block::ObjectCommit commit = this->commit(records);
  commit.mark = zarr_mark;
  return commit;
}

block::ObjectCommit ZarrFile::close_changed(std::int64_t records) const {
  block::ObjectCommit commit = commit_of(records, true);
  commit.mark = zarr_mark;
  return commit;
}

}  // namespace thalweg::formats::zarr
