// One file that a writer fills: its blocks go into a sink, then the metadata that makes records visible, then it gets
// its name.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "block/commands.hpp"
#include "profile/counters.hpp"
#include "storage/name_lock.hpp"
#include "storage/sink.hpp"

namespace thalweg::writer {

class FileWriter {
 public:
  FileWriter(const store::FileNames& names, const store::CollectionPlan& plan, store::StorageAccess& access);

  store::Sink& sink() { return *sink_; }

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
  store::FileNames names_;
  config::Durability durability_;
  store::StorageAccess& access_;
  std::optional<store::NameShare> share_;  // of a name that another writer owns, while this one has the file open
  std::unique_ptr<store::Sink> sink_;
  double commit_s_ = 0.0;
  bool has_checksums_ = false;
};

}  // namespace thalweg::writer
