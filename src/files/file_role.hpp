// What is done about the files of a collection on a rank that owns them, and on one that does not.
#pragma once

#include <cstdint>

#include "block/command_book.hpp"
#include "files/file_plan.hpp"
#include "files/messages.hpp"
#include "files/placement_ledger.hpp"
#include "files/record_schedule.hpp"
#include "files/series.hpp"
#include "profile/counters.hpp"

namespace thalweg::files {

// Of a collection, on a rank. All of it outlives what it is given to.
struct FileContext {
  Series series;
  const FilePlan& plan;
  int rank;
  int node;
  block::CommandBook& book;
  Messages& messages;
  profile::ClientCounters& counters;

  int number() const { return series.identity.number; }
  const catalog::Declaration& declaration() const { return series.declaration; }
  const block::CollectionPlan& blocks() const { return *plan.blocks; }
  bool in_turns() const { return blocks().files.in_turns(); }
  // Whether the owner tells where chunks go.
  bool places_chunks() const { return blocks().files.chunked() && !blocks().files.objects; }
};

class FileRole {
 public:
  FileRole(const FileContext& context, const PlacementLedger& ledger) : of_(context), ledger_(ledger) {}
  virtual ~FileRole() = default;
  FileRole(const FileRole&) = delete;
  FileRole& operator=(const FileRole&) = delete;

  virtual void prepare_first_file() {}
  virtual void open_file(const Upcoming& upcoming) = 0;
  // The file that was opened last has this attribute when it is complete.
  virtual void give(const catalog::GivenAttribute& /*given*/) {}
  // No record follows in the file that was opened last.
  virtual void end_file() = 0;
  virtual bool may_place(std::int64_t record) const = 0;
  virtual void place(std::int64_t record) = 0;
  // So much is placed for now.
  virtual void end_batch() {}
  // What another rank said, and what the writer of this one has done. True: more may be placed than before.
  virtual bool hear(const messages::Message& message) = 0;
  virtual bool hear(const block::Result& result) = 0;
  virtual bool owes(std::int64_t records) const = 0;

 protected:
  // Where records are assigned, sizes of one are of what its writer has, and that of nothing is another one's.
  bool is_assigned(std::int64_t record) const { return of_.plan.assigns_records && !block::is_fixed(record); }
  bool is_of_others(const block::ChunksEncoded& of) const { return is_assigned(of.record) && of.sizes.empty(); }
  // Under which number the owner knows what this rank encodes.
  int encoder_of(std::int64_t record) const { return is_assigned(record) ? FilePlan::assigned_on(of_.node) : of_.rank; }

  const FileContext of_;
  const PlacementLedger& ledger_;
};

}  // namespace thalweg::files
