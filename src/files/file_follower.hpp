// Follows the owner of a collection's files: writes into files that the owner has made, where the owner says, and tells
// it what is encoded and written.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "files/file_maker.hpp"
#include "files/file_role.hpp"

namespace thalweg::files {

// How many records have something behind them, from the first one on without a gap.
class LeadingRecords {
 public:
  void add(std::int64_t record) {
    later_.insert(record);
    while (later_.erase(count_) > 0) ++count_;
  }
  std::int64_t count() const { return count_; }

 private:
  std::int64_t count_ = 0;
  std::set<std::int64_t> later_;
};

class FileFollower final : public FileRole {
 public:
  // names: gives those of the files.
  FileFollower(const FileContext& context, const PlacementLedger& ledger, std::unique_ptr<FileMaker> names)
      : FileRole(context, ledger), names_(std::move(names)) {}

  void open_file(const Upcoming& upcoming) override;
  void end_file() override;
  // A callback is told the record's time, so its records are placed when they are closed, one by one.
  bool may_place(std::int64_t record) const override { return !of_.in_turns() || record < ledger_.closed(); }
  void place(std::int64_t record) override;
  bool hear(const messages::Message& message) override;
  bool hear(const block::Result& result) override;
  bool owes(std::int64_t records) const override;

 private:
  void open_made_file(std::int64_t file, const std::vector<std::int64_t>& fixed_offsets);
  void tell_sizes(const block::ChunksEncoded& of);

  std::unique_ptr<FileMaker> names_;
  std::int64_t file_ = -1;                           // the one of the records that are put
  std::int64_t first_record_ = 0;                    // of it
  std::map<std::int64_t, block::OpenFile> awaited_;  // files that the owner has not made yet
  std::int64_t awaited_from_ = 0;                    // first record of the last one
  // Files that the owner has made before this rank got there, with the offsets of fixed variables.
  std::map<std::int64_t, std::vector<std::int64_t>> announced_;
  LeadingRecords told_;   // whose sizes were told,
  LeadingRecords heard_;  // and whose places were heard
};

}  // namespace thalweg::files
