// One file that a writer fills: data by the mover, then the metadata that makes records visible, then its name. Or one
// that the model's own procedure fills, which is only called.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "profile/counters.hpp"
#include "store/growing_chunk.hpp"
#include "store/journal.hpp"
#include "store/mover.hpp"
#include "store/name_lock.hpp"
#include "store/object_store.hpp"
#include "store/orders.hpp"
#include "writer/procedure_caller.hpp"
#include "writer/storage_access.hpp"

namespace thalweg::writer {

class FileWriter {
 public:
  FileWriter(const store::FileNames& names, const store::CollectionPlan& plan, StorageAccess& access);

  void write(std::span<store::DataRun> runs);
  void put_object(const std::string& key, std::span<const std::span<const std::byte>> pieces);

  // Zarr: chunks that span several records of a small variable.
  using ChunkPlace = std::pair<std::int64_t, std::int64_t>;  // block, and chunk in it
  store::GrowingChunk& growing_chunk(const ChunkPlace& place, const store::PlannedBlock& block,
                                     std::int64_t chunk_records);
  using KeyOf = std::function<std::string(const ChunkPlace&, std::int64_t row)>;
  void put_growing_chunks(std::int64_t records, const KeyOf& key_of);

  // Format user: what is given there takes the place of writing.
  ProcedureCaller& procedure() { return *procedure_; }

  // What was written is on stable storage.
  void sync();

  // Makes records visible: their data are written everywhere.
  void commit(const store::Transaction& transaction);

  // Ends the file where it is owned: last metadata, durability, its own name, and if there are some its checksums.
  // False: it has no records, and a complete file that has the name stays in its place.
  bool close(const store::Transaction& last, const std::optional<store::Checksums>& checksums);
  // Elsewhere: durability.
  void close();

  void add_counts(profile::WriterCounters& counters) const;

 private:
  const store::MoverCounts& counts() const;
  void publish(const std::optional<store::Checksums>& checksums);

  store::FileNames names_;
  config::Durability durability_;
  StorageAccess& access_;
  std::optional<store::NameShare> share_;     // of a name that another writer owns, while this one has the file open
  std::optional<store::Mover> mover_;         // of a file,
  std::optional<store::ObjectStore> store_;   // or of a folder of objects,
  std::optional<ProcedureCaller> procedure_;  // or of what nobody but the model knows
  store::Journal journal_;
  store::FileIdentity written_;
  std::map<ChunkPlace, store::GrowingChunk> growing_;
  double commit_s_ = 0.0;
  bool has_checksums_ = false;
};

}  // namespace thalweg::writer
