#include "writer/collection_writer.hpp"

#include <algorithm>
#include <utility>

#include "base/subject.hpp"
#include "writer/at_file.hpp"
#include "writer/block_encoding.hpp"

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

Subject subject_of(const block::CollectionPlan& plan, const std::vector<ReadyBlock>& blocks) {
  const auto [first, last] = std::ranges::minmax(blocks, {}, &ReadyBlock::moment);
  return {plan.word, first.moment, last.moment};
}

}  // namespace

CollectionWriter::CollectionWriter(int number, block::CollectionPlan plan, const Surroundings& around, Spill* spill,
                                   Pool& pool)
    : number_(number),
      plan_(std::move(plan)),
      around_(around),
      ledger_(plan_),
      fixed_(plan_),
      sizes_(plan_),
      fill_only_(plan_, sizes_),
      memory_(plan_, fill_only_, around.counters),
      encoding_(plan_, sizes_, pool, around.wake_ups, around.counters),
      sums_(plan_, sizes_),
      output_(plan_, sizes_, memory_),
      committer_(number, plan_, ledger_, sums_, around) {
  if (spill != nullptr) spill_.emplace(plan_, sizes_, *spill, around.counters);
  tell_sizes(block::fixed_record);
  tell_sizes(0);
}

void CollectionWriter::ready(staging::BlockId id) {
  const staging::BlockAddress of = plan_.rings.address(id);
  const Concerns about(plan_.word, of.moment);
  see_arrivals(plan_.rings.state(of));
  if (!of.is_fixed() && plan_.is_assigned(of.block) && ledger_.assign(of.moment, true)) tell_sizes(of.moment);
  prepare({of});
}

// The block is complete: its chunks go to the pool, or, if they stay as they are, to what can be written.
void CollectionWriter::prepare(const ReadyBlock& ready) {
  if (is_encoded(planned(plan_, ready)) && !planned(plan_, ready).is_fill_only())
    return encoding_.begin(ready, memory_.data_to_encode(ready));
  add_ready(ready);
}

void CollectionWriter::add_ready(const ReadyBlock& ready) {
  if (ready.is_fixed())
    fixed_.add_ready(ready.block);
  else
    ledger_.add_ready(ready);
  tell_sizes(ready.moment);
}

bool CollectionWriter::take_encoded() {
  return encoding_.take_encoded([this](const ReadyBlock& ready) {
    add_ready(ready);
    if (!ready.is_fixed() || encoding_.has_fixed()) return;
    for (const std::int64_t record : ledger_.numbers()) tell_sizes(record);
  });
}

// Sizes of a record are told when they are known, but not before those of the fixed blocks.
void CollectionWriter::tell_sizes(std::int64_t record) {
  const bool fixed = block::is_fixed(record);
  if (!sizes_.owner_waits(record)) return;
  const std::optional<bool> is_own = fixed ? true : ledger_.assignment(record);
  if (!is_own || (!fixed && encoding_.has_fixed())) return;
  std::optional<std::vector<std::int64_t>> codes = sizes_.take_untold(record, *is_own);
  if (!codes) return;
  around_.book.report(block::ChunksEncoded{number_, record, *std::move(codes)});
  around_.wake_ups.note_progress();
}

void CollectionWriter::place_record(const block::PlaceRecord& command) {
  ledger_.place(command);
  tell_sizes(command.record + 1);  // nothing else will make a writer tell them whose blocks are fill-only
}

void CollectionWriter::learn_assignments() {
  for (const std::int64_t record : ledger_.learn_assignments()) tell_sizes(record);
}

void CollectionWriter::other_writer_wrote(const block::OtherWriterWrote& wrote) {
  ledger_.other_writer_wrote(wrote.record);
  sums_.add_others(wrote.file, wrote.index_in_file, wrote.sums);
}

void CollectionWriter::other_writer_closed(const block::OtherWriterClosed& closed) {
  committer_.others().note_closed(closed.file);
  sums_.add_others(closed.file, block::fixed_record, closed.sums);
}

bool CollectionWriter::write_some() {
  if (plan_.rings.moments().due() == staging::BlockRing::nothing) return false;
  const Concerns about(plan_.word, -1);
  bool worked = false;
  for (auto& [number, file] : committer_.files()) worked |= committer_.takes_turn(number) && write_fixed(file);
  if (encoding_.has_fixed()) return worked;
  Batch batch = ledger_.take_batch(batch_bytes, [this](std::int64_t file) { return committer_.has(file); });
  if (!batch.blocks.empty()) write_batch(batch);
  for (const ReadyBlock& written : batch.blocks) after_write(written);
  return advance_written() || worked || !batch.blocks.empty();
}

// Whoever puts a block anew waits until it is in all earlier files.
bool CollectionWriter::write_fixed(OpenedFile& file) {
  const std::int64_t number = file.number();
  if (!fixed_.is_settled(number)) return false;
  encode_outdated(number);
  std::vector<storage::BlockToWrite> blocks;
  for (std::int64_t b = 0; b < std::ssize(file.fixed_written); ++b) {
    const ReadyBlock ready{block::fixed_record, b};
    if (!fixed_.may_write(b, number)) continue;
    const std::vector<std::int64_t>* offsets = committer_.fixed_offsets(file, planned(plan_, ready));
    if (offsets == nullptr) continue;
    blocks.push_back(output_.block(ready, {.offsets = *offsets}));
    sums_.add(ready, number, block::fixed_record);
    file.fixed_written[static_cast<std::size_t>(b)] = true;
    ++around_.counters.blocks;
  }
  at_file(number, plan_, around_, [&] { file.write(blocks); });
  for (const storage::BlockToWrite& written : blocks) fixed_.note_written(written.number);
  return !blocks.empty();
}

void CollectionWriter::encode_outdated(std::int64_t file) {
  for (const std::int64_t block : fixed_.take_outdated(file)) prepare({{block::fixed_record, block}});
  if (!encoding_.has_fixed()) tell_sizes(block::fixed_of_file(file));
}

void CollectionWriter::write_batch(Batch& batch) {
  const Concerns about(subject_of(plan_, batch.blocks));
  if (spill_) spill_->move_out(batch.blocks);
  around_.counters.blocks += std::ssize(batch.blocks);
  std::vector<storage::BlockToWrite> blocks;
  blocks.reserve(batch.blocks.size());
  for (const ReadyBlock& ready : batch.blocks) {
    const Placement& of = ledger_.placement(ready.moment);
    blocks.push_back(output_.block(ready, {ready.moment, of.index_in_file, of.offsets, of.time_s}));
  }
  at_file(batch.file, plan_, around_, [&] { committer_.at(batch.file).write(blocks); });
}

void CollectionWriter::after_write(const ReadyBlock& ready) {
  const Placement& of = ledger_.placement(ready.moment);
  sums_.add(ready, of.file, of.index_in_file);
  if (ready.copy == nullptr) plan_.rings.release(ready);
  if (!planned(plan_, ready).is_fill_only()) around_.processes.wrote(planned(plan_, ready).map.bytes);
  ledger_.count_written(ready);
}

// The oldest first: its memory is wanted first.
bool CollectionWriter::save_one() {
  ReadyBlock* oldest = ledger_.oldest_in_slot();
  if (oldest == nullptr) return false;
  const Concerns about(plan_.word, oldest->moment);
  return spill_->save(*oldest);
}

// A record is written in a file that is open: before others hear of it, what fixed variables miss there is filled.
bool CollectionWriter::advance_written() {
  const std::int64_t before = ledger_.written();
  while (ledger_.may_advance() && committer_.has(ledger_.placement(ledger_.written()).file) &&
         (!plan_.files.in_turns() || committer_.end_record(ledger_.written())))
    ledger_.advance();
  if (!plan_.files.owned && ledger_.written() > before) tell_written(before);
  return ledger_.written() > before;
}

// The file's owner commits what it is told is written.
void CollectionWriter::tell_written(std::int64_t first) {
  const std::int64_t end = ledger_.written();
  const Concerns about({plan_.word, first, end - 1});
  for (std::int64_t record = first; record < end; ++record) {
    const Placement& last = ledger_.placement(record);
    if (record + 1 == end || ledger_.placement(record + 1).file != last.file) committer_.complete_records(last);
  }
  for (std::int64_t record = first; record < end; ++record) {
    const Placement& of = ledger_.placement(record);
    around_.book.report(
        block::RecordWritten{number_, record, of.file, of.index_in_file, sums_.take(of.file, of.index_in_file)});
  }
  advance_done(end);
}

void CollectionWriter::advance_done(std::int64_t records) {
  ledger_.forget(records);
  sizes_.forget(records);
  plan_.rings.moments().progress().note_moments(records);
  around_.counters.records += records - counted_records_;
  counted_records_ = records;
  around_.wake_ups.note_progress();
}

std::optional<profile::CollectionStatus> CollectionWriter::status() const {
  const staging::BlockRing& moments = plan_.rings.moments();
  if (!moments.is_there()) return std::nullopt;
  profile::CollectionStatus of{.name = plan_.name, .number = number_};
  of.put = std::max(ledger_.placed(), moments.most_put());
  of.written = ledger_.written();
  if (plan_.files.owned) of.committed = moments.progress().moments();
  of.files = moments.progress().files();
  of.file = committer_.file_being_written();
  const profile::Written written = committer_.written().all;
  of.raw_bytes = written.raw_bytes;
  of.file_bytes = written.file_bytes;
  of.blocks = {moments.shape().depth * moments.shape().blocks, moments.free_blocks()};
  return of;
}

bool CollectionWriter::finish_some() {
  const Concerns about(plan_.word, -1);
  bool worked = false;
  for (auto& [number, file] : committer_.files())
    while (const auto done = committer_.commit_some(file)) {
      advance_done(*done);
      worked = true;
    }
  return committer_.close_some() || worked;
}

}  // namespace thalweg::writer
