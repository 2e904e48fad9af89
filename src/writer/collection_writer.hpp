// The writer's side of one collection on one node: complete blocks -> files, records -> commits, files -> their names.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "profile/counters.hpp"
#include "staging/control.hpp"
#include "store/orders.hpp"
#include "writer/file_writer.hpp"

namespace thalweg::writer {

class CollectionWriter {
 public:
  CollectionWriter(int number, store::CollectionPlan plan, staging::Control& control, store::OrderBook& book,
                   profile::WriterCounters& counters);

  // ---- news from the ready queue and the order book
  void ready(std::uint32_t token);  // one that owns_token
  void open_file(const store::OpenFile& order);
  void place_record(const store::PlaceRecord& order);
  void order_commit(store::CommitRecords order);
  void order_close(store::CloseFile order) { closes_[order.file] = std::move(order); }
  void other_node_wrote(std::int64_t record) { ++others_wrote_[record]; }
  void other_node_closed(std::int64_t file) { ++others_closed_[file]; }

  // Writes some of what is ready; true if there was something to do.
  bool write_some();
  // Commits and closes what is complete; true if there was something to do.
  bool finish_some();

  const store::CollectionPlan& plan() const { return plan_; }
  bool owns_token(std::uint32_t token) const {
    return token >= plan_.first_token && token < plan_.first_token + token_count();
  }

 private:
  struct Record {
    std::int64_t file = -1;  // -1: not placed yet
    std::int64_t index_in_file = 0;
    std::vector<std::int64_t> offsets;
    std::int64_t blocks_left = 0;
  };
  struct ReadyBlock {
    std::int64_t record;  // or -1 for a fixed block
    std::int64_t block;
  };

  std::uint32_t token_count() const;
  Record& record(std::int64_t number);
  bool can_write(const ReadyBlock& ready) const;
  void write_batch(FileWriter& file, const std::vector<ReadyBlock>& batch);
  void add_runs(const ReadyBlock& ready, std::vector<store::DataRun>& runs);
  std::byte* block_data(const ReadyBlock& ready) const;
  void fill_holes(const ReadyBlock& ready, std::byte* data);
  void after_write(const ReadyBlock& ready);
  bool write_fixed(FileWriter& file);
  bool commit_some(FileWriter& file);
  bool close_if_complete(FileWriter& file);
  bool record_is_written_everywhere(std::int64_t number) const;
  bool is_written_here(std::int64_t number) const { return number < written_; }
  void advance_written();
  void advance_done(std::int64_t records);

  int number_;
  store::CollectionPlan plan_;
  staging::Control& control_;
  store::OrderBook& book_;
  profile::WriterCounters& counters_;
  std::deque<ReadyBlock> ready_;
  std::map<std::int64_t, Record> records_;
  std::map<std::int64_t, std::unique_ptr<FileWriter>> files_;
  std::map<std::int64_t, store::CloseFile> closes_;  // may come before the file: it is opened when its owner says so
  std::map<std::int64_t, int> others_wrote_;
  std::map<std::int64_t, int> others_closed_;
  std::vector<bool> fixed_complete_;
  std::vector<std::int64_t> hole_phase_;  // by slot and block: phase at which its holes are filled; -1: not yet
  std::int64_t written_ = 0;              // leading records whose blocks of this node are written
};

}  // namespace thalweg::writer
