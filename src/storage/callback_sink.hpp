// Calls the model's own procedure for one file: what it is told, and what becomes of what it says.
#pragma once

#include <string>
#include <utility>

#include "storage/sink.hpp"

namespace thalweg::storage {

// A file begins for the procedure with the first of these calls, and it is through with a record when it has returned
// from it. Errors: STORAGE, if the procedure returns a code.
class CallbackSink final : public Sink {
 public:
  CallbackSink(std::string file, const block::CollectionPlan& plan, StorageAccess& access)
      : plan_(plan), file_(std::move(file)), access_(access) {}

  void write(std::span<const BlockToWrite> blocks) override;
  void end_record(const block::PlaceInFile& place) override;
  void sync() override {}
  void commit(const block::Transaction& /*transaction*/) override {}
  void close() override;
  block::FileIdentity identity() const override { return {}; }
  const profile::StorageCounters& counts() const override { return counts_; }

 private:
  void begin();
  void give(const BlockToWrite& block);
  thalweg_block event(thalweg_event kind, const block::PlaceInFile& place) const;
  void call(const thalweg_block& block);

  const block::CollectionPlan& plan_;
  std::string file_;
  StorageAccess& access_;
  bool has_begun_ = false;
  bool has_ended_ = false;
  profile::StorageCounters counts_;
};

}  // namespace thalweg::storage
