// Sees to the files of a collection on a rank that writes it: which records begin and end, when they are placed, and
// what the writer of this rank is told. The file's owner has the format library make the file, and says where records
// go and what commits them; the others follow. All of it in calls of the model, none of it waiting.
#pragma once

#include <cstdint>
#include <memory>

#include "files/file_maker.hpp"
#include "files/file_role.hpp"
#include "files/placement_ledger.hpp"
#include "files/record_schedule.hpp"

namespace thalweg::files {

class FileCoordinator {
 public:
  FileCoordinator(const FileContext& context, std::unique_ptr<FileMaker> maker);
  FileCoordinator(const FileCoordinator&) = delete;
  FileCoordinator& operator=(const FileCoordinator&) = delete;

  // Makes the first file before the first record, where its name is known: the model then meets neither the time that
  // takes nor what may be wrong with the place. Errors: STORAGE, FORMAT.
  void prepare_first_file() { role_->prepare_first_file(); }
  // The upcoming record begins: its file is opened and, unless records are small, the record is placed. Errors:
  // STORAGE, FORMAT; as of all that follow.
  void begin_record(const Upcoming& upcoming);
  // The record is closed at this model time: it may be committed.
  void end_record(double time_s);
  // The open file has this attribute when it is complete.
  void give(const catalog::GivenAttribute& given) { role_->give(given); }
  // The program closes its file, which is opened for that if it has no record.
  void close_file(const Upcoming& ending);
  // The next record goes to another group of servers: none follows in the open file, if there is one.
  void pass_turn();
  // Places everything that has begun and has its sizes, and lets everything that is closed be committed.
  void place_pending();
  // Places records that have waited for their batch for long, because other writers may wait for them.
  void place_overdue();
  // No record follows: closes the file. A record that was begun but not closed is dropped. A collection without any
  // record still leaves a file with its fixed variables.
  void finish();

  // What another coordinator said, and what the writer of this rank has done.
  void hear(const messages::Message& message);
  void hear(const block::Result& result);

  // Whether others may wait for what this rank has not done for the first `records` records: placed their encoded
  // chunks or, elsewhere than on the owner, told their sizes, and heard where they go and that their file is there.
  bool owes(std::int64_t records) const { return role_->owes(records); }

  std::int64_t files() const { return files_; }
  // Closed records wait for their batch; they are overdue after this many seconds.
  bool has_waiting() const { return ledger_.has_waiting(); }
  double interval_s() const { return write_behind().interval_s; }

 private:
  const config::WriteBehindSettings& write_behind() const { return context_.declaration().settings().write_behind; }
  void place_until(std::int64_t records);
  void place_if_worth_it();
  void place_batch();
  void begin_file(const Upcoming& upcoming);
  void end_file();

  FileContext context_;
  PlacementLedger ledger_;
  std::unique_ptr<FileRole> role_;
  std::int64_t files_ = 0;
  bool has_open_file_ = false;  // records may follow in the last one
  bool is_finishing_ = false;
};

}  // namespace thalweg::files
