// The writer's side of one collection, or of its share of one: complete blocks -> files, records -> commits, files ->
// their names. Each step has a class of its own; the order of the steps is decided here.
#pragma once

#include <cstdint>
#include <optional>

#include "block/commands.hpp"
#include "profile/counters.hpp"
#include "profile/status.hpp"
#include "writer/block_memory.hpp"
#include "writer/block_output.hpp"
#include "writer/chunk_sizes.hpp"
#include "writer/committer.hpp"
#include "writer/encoding_stage.hpp"
#include "writer/fill_only_blocks.hpp"
#include "writer/fixed_blocks.hpp"
#include "writer/pool.hpp"
#include "writer/record_ledger.hpp"
#include "writer/spill_stage.hpp"
#include "writer/written_sums.hpp"

namespace thalweg::writer {

class CollectionWriter {
 public:
  // spill: null: blocks stay in the staging memory until they are written.
  CollectionWriter(int number, block::CollectionPlan plan, const Surroundings& around, Spill* spill, Pool& pool);
  CollectionWriter(const CollectionWriter&) = delete;
  CollectionWriter& operator=(const CollectionWriter&) = delete;

  // ---- what comes from the ready queue and the command book
  void ready(staging::BlockId id);  // one of its own
  void place_record(const block::PlaceRecord& command);
  Committer& files() { return committer_; }
  void expect_sums(block::ExpectSums expected) { sums_.expect(std::move(expected)); }
  void other_writer_wrote(const block::OtherWriterWrote& wrote);
  void other_writer_closed(const block::OtherWriterClosed& closed);

  // Learns which records it has, where any writer of the node may have them.
  void learn_assignments();
  // Takes what the pool has encoded; true if there was something.
  bool take_encoded();
  // Writes some of what is ready; true if there was something to do.
  bool write_some();
  // Saves a complete block; false if there is none, or no room. Only with a spill.
  bool save_one();
  // Commits and closes what is complete; true if there was something to do.
  bool finish_some();

  const block::CollectionPlan& plan() const { return plan_; }
  profile::WrittenFiles written() const { return committer_.written(); }
  // Nothing of a collection that a library writes.
  std::optional<profile::CollectionStatus> status() const;
  bool has(staging::BlockId id) const { return plan_.rings.has(id); }

 private:
  void prepare(const ReadyBlock& ready);
  void add_ready(const ReadyBlock& ready);
  void tell_sizes(std::int64_t record);
  bool write_fixed(OpenedFile& file);
  void encode_outdated(std::int64_t file);
  void write_batch(Batch& batch);
  void after_write(const ReadyBlock& ready);
  bool advance_written();
  void tell_written(std::int64_t first);
  void advance_done(std::int64_t records);

  int number_;
  block::CollectionPlan plan_;
  Surroundings around_;
  RecordLedger ledger_;
  FixedBlocks fixed_;
  ChunkSizes sizes_;
  FillOnlyBlocks fill_only_;
  BlockMemory memory_;
  EncodingStage encoding_;
  std::optional<SpillStage> spill_;
  WrittenSums sums_;
  BlockOutput output_;
  Committer committer_;
  std::int64_t counted_records_ = 0;
};

}  // namespace thalweg::writer
