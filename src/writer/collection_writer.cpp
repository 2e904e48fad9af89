#include "writer/collection_writer.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "writer/block_encoding.hpp"
#include "writer/holes.hpp"

namespace thalweg::writer {
namespace {

// Pieces of this process may be in a block that another one has completed. They come before by the arrivals, each of
// which follows the one before; ThreadSanitizer, which sees one process only, knows it by this look at them.
void see_arrivals(const staging::BlockState& block) {
  (void)block.arrivals.load(std::memory_order_acquire);
}

// Blocks are written in batches of about this size: large enough for the device, small enough that blocks become free
// one after another. Small blocks of a record are neighbours in the file and go out together.
constexpr std::int64_t batch_bytes = std::int64_t{16} << 20;

}  // namespace

CollectionWriter::CollectionWriter(int number, store::CollectionPlan plan, staging::Control& control,
                                   store::OrderBook& book, profile::WriterCounters& counters, StorageAccess& access,
                                   Spill* spill, Pool& pool)
    : number_(number),
      plan_(std::move(plan)),
      control_(control),
      book_(book),
      counters_(counters),
      access_(access),
      spill_(spill),
      sizes_(plan_),
      fill_only_(plan_, sizes_),
      encoding_(plan_, sizes_, pool, control, counters),
      sums_(plan_.summed ? plan_.summed->variables.size() : 0) {
  for (const store::PlannedBlock& block : plan_.fixed_blocks) fixed_complete_.push_back(block.expected == 0);
  hole_phase_.assign(static_cast<std::size_t>(plan_.record_ring.shape().depth * plan_.record_ring.shape().blocks +
                                              plan_.fixed_ring.shape().blocks),
                     -1);
  tell_sizes(store::fixed_record);
  tell_sizes(0);
}

std::uint32_t CollectionWriter::token_count() const {
  const auto& records = plan_.record_ring.shape();
  return static_cast<std::uint32_t>(records.depth * records.blocks + plan_.fixed_ring.shape().blocks);
}

void CollectionWriter::ready(std::uint32_t token) {
  const std::int64_t place = token - plan_.first_token;
  const auto& shape = plan_.record_ring.shape();
  if (place >= shape.depth * shape.blocks) {
    see_arrivals(plan_.fixed_ring.state(0, place - shape.depth * shape.blocks));
    prepare({store::fixed_record, place - shape.depth * shape.blocks});
    return;
  }
  const std::int64_t block = place % shape.blocks;
  const staging::BlockState& state = plan_.record_ring.state(place / shape.blocks, block);
  see_arrivals(state);
  const std::int64_t number = state.open.load(std::memory_order_relaxed);
  if (plan_.is_claimed(block)) decide(number, true);
  prepare({number, block});
}

CollectionWriter::Record& CollectionWriter::record(std::int64_t number) {
  const auto [found, is_new] = records_.try_emplace(number);
  Record& of = found->second;
  if (!is_new) return of;
  if (plan_.claims) {  // until it is known that the claimed ones are another's
    of.blocks = (plan_.keeps ? plan_.kept_blocks : 0) + claimed_blocks();
  } else {
    of.is_claimed = plan_.keeps;
    of.blocks = plan_.keeps ? std::ssize(plan_.record_blocks) : 0;
  }
  of.blocks_left = of.blocks;
  return of;
}

void CollectionWriter::open_file(const store::OpenFile& order) {
  OpenedFile& file = files_[order.file];
  file.order = order;
  for (const store::FileNames& names : order.parts)
    file.parts.push_back(std::make_unique<FileWriter>(names, plan_, access_));
  file.fixed_written.assign(plan_.fixed_blocks.size(), false);
}

void CollectionWriter::place_record(const store::PlaceRecord& order) {
  Record& placed = record(order.record);
  placed.file = order.file;
  placed.index_in_file = order.index_in_file;
  placed.offsets = order.offsets;
  placed.time_s = order.time_s;
  add_fill_only(order.record, 0, std::ssize(plan_.record_blocks));
  tell_sizes(order.record + 1);  // nothing else will make a writer tell them whose blocks are fill-only
}

void CollectionWriter::order_commit(store::CommitRecords order) {
  files_.at(order.file).commits.push_back(std::move(order));
}

// The block is complete: its chunks go to the pool, or, if they stay as they are, to what can be written.
void CollectionWriter::prepare(const ReadyBlock& ready) {
  if (is_encoded(planned(plan_, ready)) && planned(plan_, ready).expected > 0) {
    std::byte* data = block_data(ready);
    fill_holes(ready, data);
    hole_phase(ready) = -1;  // encoding overwrites them
    return encoding_.begin(ready, data);
  }
  add_ready(ready);
  tell_sizes(ready.record);
}

bool CollectionWriter::take_encoded() {
  return encoding_.take_encoded([this](const ReadyBlock& ready) {
    add_ready(ready);
    tell_sizes(ready.record);
    if (!ready.is_fixed() || encoding_.has_fixed()) return;
    for (const auto& [number, held] : records_) tell_sizes(number);
  });
}

// Sizes of a record are told when they are known, but not before those of the fixed blocks.
void CollectionWriter::tell_sizes(std::int64_t number) {
  const bool fixed = number == store::fixed_record;
  if (!sizes_.owner_waits(number)) return;
  const std::optional<bool> is_own = fixed ? true : record(number).is_claimed;
  if (!is_own || (!fixed && encoding_.has_fixed())) return;
  std::optional<std::vector<std::int64_t>> codes = sizes_.take_untold(number, *is_own);
  if (!codes) return;
  book_.tell(store::ChunksEncoded{number_, number, *std::move(codes)});
  control_.tell_news();
}

void CollectionWriter::add_ready(const ReadyBlock& ready) {
  if (ready.is_fixed()) {
    fixed_complete_[static_cast<std::size_t>(ready.block)] = true;
    return;
  }
  ready_.push_back(ready);
  ++record(ready.record).blocks_ready;
}

bool CollectionWriter::can_write(const ReadyBlock& ready) const {
  if (ready.record >= plan_.record_ring.due()) return false;
  const auto found = records_.find(ready.record);
  if (found == records_.end() || found->second.file < 0 || files_.count(found->second.file) == 0) return false;
  if (plan_.procedure && ready.record != written_) return false;  // it gets one record after the other
  if (plan_.whole_records && found->second.blocks_ready < found->second.blocks) return false;
  if (ready.saved) return true;
  // A fill-only block has no arrivals to wait for, but its slot must have become free.
  return plan_.record_ring.is_open(ready.record, ready.block);
}

bool CollectionWriter::write_some() {
  if (plan_.record_ring.due() == staging::BlockRing::nothing) return false;
  bool worked = false;
  for (auto& [number, file] : files_) worked |= takes_turn(number) && write_fixed(file);
  if (encoding_.has_fixed()) return worked;
  std::vector<ReadyBlock> batch;
  std::int64_t file = -1;
  std::int64_t bytes = 0;
  for (auto it = ready_.begin(); it != ready_.end() && bytes < batch_bytes;) {
    if (!can_write(*it) || (file >= 0 && records_[it->record].file != file)) {
      ++it;
      continue;
    }
    file = records_[it->record].file;
    bytes += plan_.record_blocks[static_cast<std::size_t>(it->block)].map.bytes;
    batch.push_back(*it);
    it = ready_.erase(it);
  }
  move_out(batch);
  if (!batch.empty()) write_batch(files_.at(file), batch);
  for (const ReadyBlock& written : batch) after_write(written);
  return advance_written() || worked || !batch.empty();
}

void CollectionWriter::write_batch(OpenedFile& file, const std::vector<ReadyBlock>& batch) {
  counters_.blocks += static_cast<std::int64_t>(batch.size());
  if (plan_.procedure) {
    for (const ReadyBlock& ready : batch) give_block(*file.parts.front(), ready);
    return;
  }
  if (plan_.zarr) {
    for (const ReadyBlock& ready : batch)
      put_objects(*file.parts.front(), ready, records_.at(ready.record).index_in_file);
    return;
  }
  RunsOfParts runs(file.parts.size());
  for (const ReadyBlock& ready : batch) {
    const Record& placed = records_.at(ready.record);
    add_runs(ready, placed.offsets, placed.index_in_file, runs[static_cast<std::size_t>(planned(plan_, ready).part)]);
  }
  write_runs(file, runs);
}

void CollectionWriter::write_runs(OpenedFile& file, RunsOfParts& runs) {
  for (std::size_t part = 0; part < runs.size(); ++part)
    if (!runs[part].empty()) file.parts[part]->write(runs[part]);
}

std::byte* CollectionWriter::block_data(const ReadyBlock& ready) const {
  if (ready.copy != nullptr) return ready.copy + phase_of(ready);
  if (const std::byte* encoded = fill_only_.data(ready)) return const_cast<std::byte*>(encoded);
  const std::int64_t offset = planned(plan_, ready).slot_offset + phase_of(ready);
  return (ready.is_fixed() ? plan_.fixed_ring.slot_data(0)
                           : plan_.record_ring.slot_data(plan_.record_ring.slot_of(ready.record))) +
         offset;
}

std::int64_t CollectionWriter::phase_of(const ReadyBlock& ready) const {
  if (ready.is_fixed() || plan_.chunked) return 0;
  return plan_.phase(ready.block, records_.at(ready.record).index_in_file);
}

// offsets: of chunks, where they do not follow from arithmetic.
void CollectionWriter::add_runs(const ReadyBlock& ready, const std::vector<std::int64_t>& offsets,
                                std::int64_t index_in_file, std::vector<store::DataRun>& runs) {
  const store::PlannedBlock& block = planned(plan_, ready);
  std::byte* data = block_data(ready);
  const std::vector<EncodedSize>* sizes = sizes_.of(ready);
  if (sizes == nullptr) fill_holes(ready, data);
  const bool fixed = ready.is_fixed();
  for (std::int64_t i = 0; i < block.map.run_count; ++i) {
    store::Run run = block.map.run(i);
    if (sizes != nullptr) run.bytes = (*sizes)[static_cast<std::size_t>(i)].bytes;
    std::int64_t base = 0;
    if (!plan_.chunked)
      base = block.begin + (fixed ? 0 : index_in_file * block.record_bytes);
    else if (!block.chunks)
      base = offsets[static_cast<std::size_t>(block.first_place)];
    else
      base = offsets[static_cast<std::size_t>(block.first_place + (fixed ? block.chunks->number(i) : i))];
    runs.push_back({base + run.file_offset, data + run.block_offset, run.bytes});
  }
}

// Clients never touch holes, so they stay filled until the block's place in memory changes with the phase.
void CollectionWriter::fill_holes(const ReadyBlock& ready, std::byte* data) {
  const store::PlannedBlock& block = planned(plan_, ready);
  if (block.holes.empty() && block.hole_points.empty()) return;
  const std::int64_t phase = phase_of(ready);
  if (ready.copy != nullptr) return writer::fill_holes(block, plan_.big_endian, data);
  std::int64_t& filled = hole_phase(ready);
  if (filled == phase && !plan_.claims) return;  // another writer may have had the slot in between
  const Timer timer(counters_.fill_s);
  writer::fill_holes(block, plan_.big_endian, data);
  filled = phase;
}

std::int64_t& CollectionWriter::hole_phase(const ReadyBlock& ready) {
  const auto& shape = plan_.record_ring.shape();
  const std::int64_t slot = ready.is_fixed() ? shape.depth : plan_.record_ring.slot_of(ready.record);
  return hole_phase_[static_cast<std::size_t>(slot * shape.blocks + ready.block)];
}

void CollectionWriter::after_write(const ReadyBlock& ready) {
  add_sum(ready, records_.at(ready.record).file);
  if (ready.copy == nullptr) plan_.record_ring.release(plan_.record_ring.slot_of(ready.record), ready.block);
  if (planned(plan_, ready).expected > 0) control_.wrote(planned(plan_, ready).map.bytes);
  --record(ready.record).blocks_left;
}

bool CollectionWriter::write_fixed(OpenedFile& file) {
  const std::vector<std::int64_t>* offsets = fixed_offsets(file);
  if (offsets == nullptr) return false;
  RunsOfParts runs(file.parts.size());
  bool worked = false;
  for (std::size_t b = 0; b < plan_.fixed_blocks.size(); ++b) {
    if (!fixed_complete_[b] || file.fixed_written[b]) continue;
    const ReadyBlock ready{store::fixed_record, static_cast<std::int64_t>(b)};
    if (plan_.procedure)
      give_block(*file.parts.front(), ready);
    else if (plan_.zarr)
      put_objects(*file.parts.front(), ready, 0);
    else
      add_runs(ready, *offsets, 0, runs[static_cast<std::size_t>(planned(plan_, ready).part)]);
    add_sum(ready, file.order.file);
    file.fixed_written[b] = true;
    ++counters_.blocks;
    worked = true;
  }
  write_runs(file, runs);
  return worked;
}

// Null while they are not known.
const std::vector<std::int64_t>* CollectionWriter::fixed_offsets(const OpenedFile& file) const {
  if (!plan_.fixed_sizes_first) return &file.order.fixed_offsets;
  const auto told = fixed_offsets_.find(file.order.file);
  return told == fixed_offsets_.end() ? nullptr : &told->second;
}

bool CollectionWriter::advance_written() {
  const std::int64_t before = written_;
  for (auto it = records_.find(written_); it != records_.end() && it->second.file >= 0 && it->second.blocks_left == 0;
       it = records_.find(written_)) {
    if (plan_.procedure && !give_record(written_)) break;
    ++written_;
  }
  if (!plan_.owns_files && written_ > before) tell_written(before);
  return written_ > before;
}

// The home commits what it is told is written. Before that, once for all its records, a file's shared chunks are put
// and, under `record`, the file is brought to stable storage.
void CollectionWriter::tell_written(std::int64_t first) {
  for (std::int64_t number = first; number < written_; ++number) {
    const Record& last = records_.at(number);
    if (number + 1 == written_ || records_.at(number + 1).file != last.file) finish_records(last);
  }
  for (std::int64_t number = first; number < written_; ++number) {
    const Record& of = records_.at(number);
    book_.tell(store::RecordWritten{number_, number, of.file, of.index_in_file, take_sums(of.file, of.index_in_file)});
  }
  advance_done(written_);
}

void CollectionWriter::finish_records(const Record& last) {
  const auto file = files_.find(last.file);
  if (file == files_.end()) return;
  FileWriter& whole = *file->second.parts.front();  // files of sets have one writer
  if (plan_.zarr) put_growing_chunks(whole, last.index_in_file + 1);
  if (plan_.durability == config::Durability::record) whole.sync();
}

void CollectionWriter::advance_done(std::int64_t done) {
  records_.erase(records_.begin(), records_.lower_bound(done));
  sizes_.forget(done);
  others_wrote_.erase(others_wrote_.begin(), others_wrote_.lower_bound(done));
  plan_.record_ring.progress().records.store(done, std::memory_order_release);
  counters_.records = std::max(counters_.records, done);
  control_.tell_news();
}

bool CollectionWriter::record_is_written_everywhere(std::int64_t number) const {
  if (!is_written_here(number)) return false;
  if (plan_.other_writers == 0) return true;
  const auto found = others_wrote_.find(number);
  return found != others_wrote_.end() && found->second == plan_.other_writers;
}

bool CollectionWriter::finish_some() {
  bool worked = false;
  for (auto& [number, file] : files_) worked |= commit_some(file);
  for (auto it = files_.begin(); it != files_.end();) {
    if (close_if_complete(it->second)) {
      it = files_.erase(it);
      worked = true;
    } else {
      ++it;
    }
  }
  return worked;
}

// Other writers tell records in order, so the last record of a commit speaks for all before it.
bool CollectionWriter::commit_some(OpenedFile& file) {
  bool worked = false;
  while (!file.commits.empty() && record_is_written_everywhere(file.commits.front().last_record)) {
    const store::CommitRecords order = std::move(file.commits.front());
    file.commits.pop_front();
    // A commit that the next one overwrites entirely can be left out.
    const store::Transaction& first = order.transactions.front();  // those of a set are of one kind
    const bool is_repeated = !first.journaled && !first.incremental;
    const bool superseded =
        is_repeated && !file.commits.empty() && record_is_written_everywhere(file.commits.front().last_record);
    if (!superseded) {
      if (plan_.zarr) put_growing_chunks(*file.parts.front(), first.records);
      for (std::size_t part = 0; part < file.parts.size(); ++part) file.parts[part]->commit(order.transactions[part]);
      advance_done(order.last_record + 1);
    }
    worked = true;
  }
  return worked;
}

// As far as they are this writer's.
bool CollectionWriter::has_all_records(std::int64_t file) const {
  const auto close = closes_.find(file);
  return close != closes_.end() && written_ >= close->second.end_record;
}

bool CollectionWriter::has_all_fixed(const OpenedFile& file) {
  return std::count(file.fixed_written.begin(), file.fixed_written.end(), false) == 0;
}

}  // namespace thalweg::writer
