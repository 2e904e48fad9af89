// Has the files that are open: makes records visible when all writers have written them, and ends a file when it misses
// nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "block/commands.hpp"
#include "profile/counters.hpp"
#include "writer/opened_file.hpp"
#include "writer/other_writers.hpp"
#include "writer/record_ledger.hpp"
#include "writer/surroundings.hpp"
#include "writer/written_sums.hpp"

namespace thalweg::writer {

class Committer {
 public:
  // number: of the collection.
  Committer(int number, const block::CollectionPlan& plan, const RecordLedger& ledger, WrittenSums& sums,
            const Surroundings& around)
      : number_(number), plan_(plan), ledger_(ledger), sums_(sums), around_(around) {}

  // ---- what the model's side asks
  void open(block::OpenFile command);
  void place_fixed(block::PlaceFixed command) { fixed_offsets_[command.file] = std::move(command.offsets); }
  void order_commit(block::CommitRecords command);
  void order_close(block::CloseFile command) { closes_[command.file] = std::move(command); }
  OtherWriters& others() { return others_; }

  // ---- the files
  std::map<std::int64_t, OpenedFile>& files() { return files_; }
  bool has(std::int64_t file) const { return files_.contains(file); }
  OpenedFile& at(std::int64_t file) { return files_.at(file); }
  // Of a set, that of its first part here; empty: none is open.
  std::string file_being_written() const;
  // All files so far.
  profile::WrittenFiles written() const;
  // That the place of a fixed block is among; null while it is not known.
  const std::vector<std::int64_t>* fixed_offsets(const OpenedFile& file, const block::PlannedBlock& block) const;

  // ---- where files and records come one after the other
  // Whether the file may be written to now.
  bool takes_turn(std::int64_t file);
  // All blocks of the record were given; false if it is not its file's turn.
  bool end_record(std::int64_t record);

  // ---- progress
  // Another writer commits. Before it is told of records, once for all of them up to `last`, a file's shared chunks are
  // put and, under `record`, the file is brought to stable storage.
  void complete_records(const Placement& last);
  // Commits what can be at once; gives how many leading records are done then. Nothing: there is nothing to commit.
  std::optional<std::int64_t> commit_some(OpenedFile& file);
  // True if a file came to its end.
  bool close_some();

 private:
  bool has_all_records(std::int64_t file) const;
  bool may_close(const OpenedFile& file) const;
  bool tells_sums(OpenedFile& file);
  std::optional<block::Checksums> take_checksums(OpenedFile& file, std::size_t part, std::int64_t records);
  void close_parts(OpenedFile& file);
  bool may_name(const OpenedFile& file) const;
  void name_parts(OpenedFile& file);
  bool end_set(const OpenedFile& file);
  bool close_if_complete(OpenedFile& file);

  int number_;
  const block::CollectionPlan& plan_;
  const RecordLedger& ledger_;
  WrittenSums& sums_;
  Surroundings around_;
  std::map<std::int64_t, OpenedFile> files_;
  std::map<std::int64_t, block::CloseFile> closes_;  // may come before the file: it is opened when its owner says so
  profile::WrittenFiles named_;                      // files that have their names
  OtherWriters others_;
  std::map<std::int64_t, std::vector<std::int64_t>> fixed_offsets_;  // by file, once those of encoded blocks are known
};

}  // namespace thalweg::writer
