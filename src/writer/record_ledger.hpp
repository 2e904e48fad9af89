// Knows which record is where, whose it is, which of its blocks this writer may write now and which are still to be
// written.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "block/commands.hpp"
#include "writer/ready_block.hpp"

namespace thalweg::writer {

// Where a record lies.
struct Placement {
  std::int64_t file = -1;  // -1: not placed yet
  std::int64_t index_in_file = 0;
  std::vector<std::int64_t> offsets;
  double time_s = 0.0;
};

// Blocks that are written at once, all to one file.
struct Batch {
  std::int64_t file = -1;
  std::vector<ReadyBlock> blocks;
};

class RecordLedger {
 public:
  explicit RecordLedger(const block::CollectionPlan& plan) : plan_(plan) {}

  // ---- blocks
  // A complete and encoded block of a record: it can be written as soon as its record is due and placed.
  void add_ready(const ReadyBlock& ready);
  // Blocks of about so many bytes, and with them fill-only ones. has_file(number): the file is open.
  template <typename HasFile>
  Batch take_batch(std::int64_t bytes, const HasFile& has_file);
  // The oldest one that is still in its slot, whose memory is wanted first; null: there is none.
  ReadyBlock* oldest_in_slot();
  void count_written(const ReadyBlock& ready) { --record(ready.moment).blocks_left; }

  // ---- records
  // A placed record's fill-only blocks are ready; nobody announces them.
  void place(const block::PlaceRecord& command);
  // So many leading ones are, as far as they have been told of.
  std::int64_t placed() const { return placed_; }
  const Placement& placement(std::int64_t number) const { return records_.at(number).placement; }
  // Where any writer of the node may have a record: whether it is this one's. Nothing: it is not known yet.
  std::optional<bool> assignment(std::int64_t number) { return record(number).is_own; }
  // False: it was known.
  bool assign(std::int64_t number, bool is_own);
  // Looks whose records are; gives the numbers of those of which that was not known.
  std::vector<std::int64_t> learn_assignments();
  // Of records that are not done, in order.
  std::vector<std::int64_t> numbers() const;

  // ---- what is written
  // So many leading records are written here.
  std::int64_t written() const { return written_; }
  // Of the next one all blocks are.
  bool may_advance() const;
  void advance() { ++written_; }
  void other_writer_wrote(std::int64_t number) { ++others_wrote_[number]; }
  bool is_written_everywhere(std::int64_t number) const;
  // So many leading records are done.
  void forget(std::int64_t records);

 private:
  struct Record {
    Placement placement;
    std::optional<bool> is_own;
    std::int64_t blocks = 0;  // of this writer, as far as it is known
    std::int64_t blocks_ready = 0;
    std::int64_t blocks_left = 0;  // to be written
  };

  Record& record(std::int64_t number);
  std::int64_t pinned_blocks() const { return plan_.pinned_blocks; }
  std::int64_t assigned_blocks() const { return std::ssize(plan_.record_blocks) - plan_.pinned_blocks; }
  void add_fill_only(std::int64_t number, std::int64_t first);
  bool is_due(const ReadyBlock& ready) const;

  const block::CollectionPlan& plan_;
  std::deque<ReadyBlock> ready_;
  std::map<std::int64_t, Record> records_;
  std::map<std::int64_t, int> others_wrote_;  // writers, by record
  std::int64_t assigned_ = 0;                 // leading records of which it is known whose they are
  std::int64_t written_ = 0;
  std::int64_t placed_ = 0;
};

template <typename HasFile>
Batch RecordLedger::take_batch(std::int64_t bytes, const HasFile& has_file) {
  Batch batch;
  for (auto it = ready_.begin(); it != ready_.end() && bytes > 0;) {
    if (!is_due(*it)) {
      ++it;
      continue;
    }
    const std::int64_t file = placement(it->moment).file;
    if (!has_file(file) || (batch.file >= 0 && batch.file != file)) {
      ++it;
      continue;
    }
    batch.file = file;
    bytes -= planned(plan_, *it).map.bytes;
    batch.blocks.push_back(*it);
    it = ready_.erase(it);
  }
  return batch;
}

}  // namespace thalweg::writer
