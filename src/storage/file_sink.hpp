// A file: runs of bytes by the mover, metadata by way of the journal.
#pragma once

#include <string>
#include <vector>

#include "storage/journal.hpp"
#include "storage/sink.hpp"

namespace thalweg::storage {

class FileSink final : public Sink {
 public:
  FileSink(const std::string& path, const block::CollectionPlan& plan, StorageAccess& access);

  void write(std::span<const BlockToWrite> blocks) override;
  void fill(const block::PlannedBlock& block, const block::PlaceInFile& place) override;
  void sync() override { mover_.sync(); }
  void commit(const block::Transaction& transaction) override;
  void close() override { mover_.close(); }
  block::FileIdentity identity() const override { return mover_.identity(); }
  const profile::StorageCounters& counts() const override { return mover_.counts(); }

 private:
  void write_runs();

  const block::CollectionPlan& plan_;
  StorageAccess& access_;
  Mover mover_;
  Journal journal_;
  std::vector<DataRun> runs_;  // of a batch
};

}  // namespace thalweg::storage
