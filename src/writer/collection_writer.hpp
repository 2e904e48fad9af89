// The writer's side of one collection, or of its share of one: complete blocks -> files, records -> commits, files ->
// their names.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profile/counters.hpp"
#include "staging/control.hpp"
#include "store/orders.hpp"
#include "writer/chunk_sizes.hpp"
#include "writer/encoding_stage.hpp"
#include "writer/file_writer.hpp"
#include "writer/fill_only_blocks.hpp"
#include "writer/pool.hpp"
#include "writer/ready_block.hpp"
#include "writer/spill.hpp"

namespace thalweg::writer {

class CollectionWriter {
 public:
  // spill: null: blocks stay in the staging memory until they are written.
  CollectionWriter(int number, store::CollectionPlan plan, staging::Control& control, store::OrderBook& book,
                   profile::WriterCounters& counters, StorageAccess& access, Spill* spill, Pool& pool);

  // ---- news from the ready queue and the order book
  void ready(std::uint32_t token);  // one that owns_token
  void open_file(const store::OpenFile& order);
  void place_record(const store::PlaceRecord& order);
  void place_fixed(const store::PlaceFixed& order) { fixed_offsets_[order.file] = order.offsets; }
  void order_commit(store::CommitRecords order);
  void order_close(store::CloseFile order) { closes_[order.file] = std::move(order); }
  void other_writer_wrote(const store::OtherWriterWrote& wrote);
  void other_writer_closed(const store::OtherWriterClosed& closed);

  // Learns which records it has, where any writer of the node may have them.
  void learn_claims();
  // Takes what the pool has encoded; true if there was something.
  bool take_encoded();
  // Writes some of what is ready; true if there was something to do.
  bool write_some();
  // Saves a complete block; false if there is none, or no room. Only with a spill.
  bool save_one();
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
    double time_s = 0.0;
    std::optional<bool> is_claimed;  // for this writer; nothing: it is not known yet
    std::int64_t blocks = 0;         // of this writer, as far as it is known
    std::int64_t blocks_ready = 0;   // complete and encoded
    std::int64_t blocks_left = 0;    // to be written
  };
  // A file of the series, or, of a set, the parts of it that this writer writes; and what they still wait for.
  struct OpenedFile {
    store::OpenFile order;
    std::vector<std::unique_ptr<FileWriter>> parts;
    std::deque<store::CommitRecords> commits;
    std::vector<bool> fixed_written;
    bool parts_closed = false;
    bool spares_complete = false;         // it has no records, and what is complete stays
    std::optional<store::FileSums> sums;  // once they were asked for
  };
  using RunsOfParts = std::vector<std::vector<store::DataRun>>;

  std::uint32_t token_count() const;
  std::int64_t claimed_blocks() const { return std::ssize(plan_.record_blocks) - plan_.kept_blocks; }
  void decide(std::int64_t number, bool is_claimed);
  void add_fill_only(std::int64_t number, std::int64_t first, std::int64_t end);
  void add_ready(const ReadyBlock& ready);
  Record& record(std::int64_t number);
  bool can_write(const ReadyBlock& ready) const;
  void write_batch(OpenedFile& file, const std::vector<ReadyBlock>& batch);
  void add_runs(const ReadyBlock& ready, const std::vector<std::int64_t>& offsets, std::int64_t index_in_file,
                std::vector<store::DataRun>& runs);
  static void write_runs(OpenedFile& file, RunsOfParts& runs);
  void put_objects(FileWriter& file, const ReadyBlock& ready, std::int64_t index_in_file);
  void put_growing_chunks(FileWriter& file, std::int64_t records) const;
  void give_block(FileWriter& file, const ReadyBlock& ready);
  bool give_record(std::int64_t number);
  bool takes_turn(std::int64_t file);
  std::byte* block_data(const ReadyBlock& ready) const;
  std::int64_t phase_of(const ReadyBlock& ready) const;
  void fill_holes(const ReadyBlock& ready, std::byte* data);
  std::int64_t& hole_phase(const ReadyBlock& ready);
  void prepare(const ReadyBlock& ready);
  void tell_sizes(std::int64_t record);
  std::int64_t room_bytes(const ReadyBlock& ready) const;
  std::byte* room_in_slot(const ReadyBlock& ready) const;
  template <typename Visit>
  void for_parts(const ReadyBlock& ready, const Visit& visit) const;
  void leave_slot(ReadyBlock& ready) const;
  void move_out(std::vector<ReadyBlock>& batch);
  void fetch(ReadyBlock& ready);
  void read_saved(ReadyBlock& ready) const;
  void after_write(const ReadyBlock& ready);
  // ---- checksums of files
  std::uint64_t sum_of(const ReadyBlock& ready) const;
  void add_sum(const ReadyBlock& ready, std::int64_t file);
  store::Sums take_sums(std::int64_t file, std::int64_t index_in_file);
  std::optional<store::Checksums> take_checksums(OpenedFile& file, std::size_t part, std::int64_t records);
  bool write_fixed(OpenedFile& file);
  const std::vector<std::int64_t>* fixed_offsets(const OpenedFile& file) const;
  bool commit_some(OpenedFile& file);
  bool close_if_complete(OpenedFile& file);
  bool may_close(const OpenedFile& file) const;
  bool tells_sums(OpenedFile& file);
  void close_parts(OpenedFile& file);
  bool end_set(const OpenedFile& file);
  bool has_all_records(std::int64_t file) const;
  static bool has_all_fixed(const OpenedFile& file);
  bool record_is_written_everywhere(std::int64_t number) const;
  bool is_written_here(std::int64_t number) const { return number < written_; }
  bool advance_written();
  void tell_written(std::int64_t first);
  void finish_records(const Record& last);
  void advance_done(std::int64_t records);

  int number_;
  store::CollectionPlan plan_;
  staging::Control& control_;
  store::OrderBook& book_;
  profile::WriterCounters& counters_;
  StorageAccess& access_;
  Spill* spill_;
  std::deque<ReadyBlock> ready_;
  std::map<std::int64_t, Record> records_;
  std::map<std::int64_t, OpenedFile> files_;
  std::map<std::int64_t, store::CloseFile> closes_;  // may come before the file: it is opened when its owner says so
  std::map<std::int64_t, int> others_wrote_;
  std::map<std::int64_t, int> others_closed_;
  std::int64_t decided_ = 0;          // leading records of which it is known whose they are
  std::vector<bool> fixed_complete_;  // and encoded
  ChunkSizes sizes_;
  FillOnlyBlocks fill_only_;
  EncodingStage encoding_;
  std::map<std::int64_t, std::vector<std::int64_t>> fixed_offsets_;  // by file, where they are told apart
  std::vector<std::int64_t> hole_phase_;  // by slot and block: phase at which its holes are filled; -1: not yet
  std::int64_t written_ = 0;              // leading records whose blocks are written here
  store::RecordSums sums_;
};

}  // namespace thalweg::writer
