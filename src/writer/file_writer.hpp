// One file that a writer fills: its blocks go into a sink, then the metadata that makes records visible, then it gets
// its name.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/seconds.hpp"
#include "block/commands.hpp"
#include "profile/counters.hpp"
#include "profile/written.hpp"
#include "storage/name_lock.hpp"
#include "storage/sink.hpp"

namespace thalweg::writer {

class FileWriter {
 public:
  FileWriter(const block::FileNames& names, const block::CollectionPlan& plan, storage::StorageAccess& access);

  storage::Sink& sink() { return *sink_; }
  // A batch.
  void write(std::span<const storage::BlockToWrite> blocks);

  // What was written is on stable storage.
  void sync();

  // Makes records visible: their data are written everywhere.
  void commit(const block::Transaction& transaction);

  // Ends the file where it is owned: last metadata and durability. False: it has no records, and a complete file that
  // has the name stays in its place.
  bool complete(const block::Transaction& last);
  // Then it gets its own name, and if there are some its checksums.
  void publish(const std::optional<block::Checksums>& checksums);
  // Or it has no record, and gets none.
  void give_up() { names_.output->give_up(); }
  // Elsewhere: durability.
  void close();

  void add_counts(profile::WriterCounters& counters) const;
  std::int64_t written_bytes() const;
  profile::WrittenFile written() const;

 private:
  block::FileNames names_;
  config::Durability durability_;
  storage::StorageAccess& access_;
  std::shared_ptr<const block::ObjectLayout> objects_;
  std::optional<storage::SharedNameLock>
      share_;  // of a name that another writer owns, while this one has the file open
  std::unique_ptr<storage::Sink> sink_;
  Seconds commit_s_{"commit"};
  bool has_checksums_ = false;
  profile::WrittenFile written_;  // of blocks
  profile::RecordRates rates_;
};

}  // namespace thalweg::writer
