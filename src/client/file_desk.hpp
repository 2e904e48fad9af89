// A rank that writes a collection sees to its files: at home, which is one of these ranks, it has the format library
// make them and says where records go and what commits them; elsewhere it passes on what the home says. All of it in
// calls of the model, none of it waiting.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "block/command_book.hpp"
#include "client/chunk_sizes.hpp"
#include "client/collection.hpp"
#include "client/file_maker.hpp"
#include "profile/counters.hpp"
#include "roles/roles.hpp"
#include "transport/notices.hpp"

namespace thalweg::client {

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

class FileDesk {
 public:
  FileDesk(Collection& collection, const roles::Roles& roles, block::CommandBook& book, transport::Notices& notices,
           profile::ClientCounters& counters);

  // Makes the first file before the first record, where its name is known: the model then meets neither the time that
  // takes nor what may be wrong with the place. At home only.
  void prepare_first_file();
  // The upcoming record begins: its file is opened and, unless records are small, the record is placed.
  void begin_record(const Upcoming& upcoming);
  // The record is closed by advance, which said the time: it may be committed. Small ones are placed together, at least
  // after the interval of the configuration.
  void end_record(double time_s);
  // Places everything that has begun and has its sizes, and lets everything that is closed be committed.
  void place_pending();
  // Places records that have waited for their batch for long, because other writers may wait for them.
  void place_overdue();
  // No record follows: closes the file. A record that was begun but not closed is dropped.
  void finish();
  // What another desk or the writer said.
  void hear(const transport::Notice& notice);
  void hear(const block::ChunksEncoded& event);
  void hear(const block::RecordWritten& event);
  void hear(const block::FileWritten& event);
  void hear(const block::FileSummed& event);

  // Whether others may wait for what this desk has not done for the first `records` records: placed their encoded
  // chunks or, elsewhere than at home, told their sizes, and heard where they go and that their file is there.
  bool owes(std::int64_t records) const;

  std::int64_t files() const { return files_; }
  // Closed records wait for their batch; they are overdue after this many seconds.
  bool has_waiting() const { return placed_ < closed_; }
  double interval_s() const { return write_behind().interval_s; }

 private:
  const config::WriteBehindSettings& write_behind() const { return collection_.declaration.settings().write_behind; }
  bool is_home() const { return collection_.plan->owns_files; }  // of a set, whoever writes a part
  bool has_small_records() const { return collection_.plan->whole_records; }
  // Whether the home tells where chunks go.
  bool places_chunks() const { return collection_.plan->chunked() && !collection_.plan->objects; }
  // A file that the home has made, until it has handed out all of its records.
  struct MadeFile {
    std::int64_t number = 0;
    std::int64_t first_record = 0;
    std::int64_t end_record = -1;  // -1: more may follow
    bool fixed_placed = false;
    std::vector<std::unique_ptr<formats::FormatFile>> parts;  // on the home: one, or the parts of a set
    const formats::FormatFile& part(int place) const { return *parts[static_cast<std::size_t>(place)]; }
  };
  void open_file(const Upcoming& upcoming);
  MadeFile& file_of(std::int64_t record);
  void open_made_file(std::int64_t file, const std::vector<std::int64_t>& fixed_offsets);
  void end_file();
  void close_ended_files();
  void place_if_worth_it();
  void place_batch();
  void place_until(std::int64_t records);
  void place(MadeFile& made, std::int64_t record);
  void commit_closed();
  bool may_place(std::int64_t record) const;
  void take_sizes(int writer, std::int64_t record, std::vector<std::int64_t> codes);
  void place_fixed(MadeFile& made);
  void store_chunks(MadeFile& made, std::int64_t record, std::int64_t sizes_of);
  std::vector<std::int64_t> fixed_offsets(const MadeFile& made, bool has_encoded) const;
  std::vector<std::int64_t> offsets_of(int writer, const MadeFile& made, std::int64_t record) const;
  void tell_offsets(const MadeFile& made, std::int64_t record);
  void tell_home(transport::NoticeKind kind, std::int64_t number, std::vector<std::int64_t> values);
  void tell_others(const transport::Notice& notice);
  int set_writers_elsewhere() const;

  Collection& collection_;
  const roles::Roles& roles_;
  block::CommandBook& book_;
  transport::Notices& notices_;
  profile::ClientCounters& counters_;
  std::deque<MadeFile> made_;                  // oldest first
  std::map<std::int64_t, MadeFile> unsummed_;  // those that are closed when their writer has told their sums
  FileMaker maker_;
  std::map<std::int64_t, block::OpenFile> awaited_;  // elsewhere: files the home has not made yet
  std::int64_t awaited_from_ = 0;                    // first record of the last one
  // Elsewhere: files the home has made before this rank got there, with the offsets of fixed variables.
  std::map<std::int64_t, std::vector<std::int64_t>> announced_;
  std::int64_t files_ = 0;
  ChunkSizes sizes_;
  // Elsewhere than at home: records whose sizes were told, and whose places were heard.
  LeadingRecords told_;
  LeadingRecords heard_;
  // Records of the collection, counted over all its files: begun, closed, placed, committed.
  std::int64_t begun_ = 0;
  std::int64_t closed_ = 0;
  std::int64_t placed_ = 0;
  std::int64_t committed_ = 0;
  std::int64_t asked_for_ = 0;  // records that no longer wait for their batch; those without sizes come when they have
  double last_placed_s_ = 0.0;
  double closed_time_s_ = 0.0;  // model time of the record that was closed last
  bool is_finishing_ = false;
};

}  // namespace thalweg::client
