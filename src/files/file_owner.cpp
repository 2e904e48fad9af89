#include "files/file_owner.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/seconds.hpp"

namespace thalweg::files {

FileOwner::FileOwner(const FileContext& context, const PlacementLedger& ledger, std::unique_ptr<FileMaker> maker)
    : FileRole(context, ledger), maker_(std::move(maker)), sizes_(of_.plan) {}

// ---- files

void FileOwner::prepare_first_file() {
  const std::string& file = of_.declaration().settings().file;
  const bool is_wanted = !is_template(file) && !of_.blocks().files.ends_with_record();  // else it may stay for ever
  if (!is_wanted || of_.in_turns() || of_.series.schedule.file_count() == 0) return;
  const Timer timer(of_.counters.metadata_s);
  maker_->prepare(fill_template(file, Calendar::standard, Date{}));
}

void FileOwner::open_file(const Upcoming& upcoming) {
  MadeFile& made = made_.emplace_back(MadeFile{upcoming.file, upcoming.record, -1, false, {}, {}});
  MadeFiles files = maker_->take(upcoming.file_name);
  made.parts = std::move(files.files);
  block::OpenFile command;
  command.collection = of_.number();
  command.file = upcoming.file;
  command.parts = std::move(files.names);
  command.set = std::move(files.set);
  command.set_writers_elsewhere = static_cast<int>(set_writers_elsewhere().size());
  command.tells_home = !of_.plan.parts.empty() && of_.rank != of_.plan.owner;
  if (of_.places_chunks()) command.fixed_offsets = fixed_offsets(made, !of_.blocks().files.fixed_sizes_first);
  const messages::FileReady ready{of_.number(), upcoming.file, command.fixed_offsets};
  of_.book.send(std::move(command));
  tell_others(ready);
  place_fixed(made);
}

// On the owner of a set.
std::set<int> FileOwner::set_writers_elsewhere() const {
  std::set<int> writers;
  for (const FilePart& part : of_.plan.set) writers.insert(part.writer);
  writers.erase(of_.rank);
  return writers;
}

void FileOwner::tell_others(const messages::Message& message) {
  for (const int rank : of_.plan.other_writers) of_.messages.send(rank, message);
}

void FileOwner::end_file() {
  commit_closed();
  made_.back().end_record = ledger_.closed();
  close_ended_files();
}

void FileOwner::end_batch() {
  commit_closed();
  close_ended_files();
}

void FileOwner::close_ended_files() {
  while (!made_.empty() && made_.front().end_record >= 0 && ledger_.placed() >= made_.front().end_record &&
         (made_.front().fixed_placed || !of_.blocks().files.fixed_sizes_first)) {
    MadeFile& made = made_.front();
    commit_closed();
    block::CloseFile command{of_.number(), made.number, made.end_record, {}};
    const std::int64_t records = made.end_record - made.first_record;
    if (!made.given.empty())
      for (const auto& part : made.parts) part->give(made.given);
    command.is_void = of_.blocks().files.ends_with_record() && records == 0;
    if (of_.declaration().settings().checksum_attributes && !command.is_void) {
      command.summed_records = records;
      unsummed_[made.number] = std::move(made);
    } else {
      for (const auto& part : made.parts) command.transactions.push_back(part->close(records));
    }
    of_.book.send(std::move(command));
    made_.pop_front();
  }
}

// The sums become attributes, which only now can be part of what completes the file.
void FileOwner::complete(block::FileSummed summed) {
  const Timer timer(of_.counters.metadata_s);
  const MadeFile made = std::move(unsummed_.extract(summed.file).mapped());
  made.parts.front()->set_checksums(summed.sums);
  block::CloseFile command{of_.number(), made.number, made.end_record, {}};
  command.transactions.push_back(made.parts.front()->close(made.end_record - made.first_record));
  of_.book.send(std::move(command));
}

// ---- records

FileOwner::MadeFile& FileOwner::file_of(std::int64_t record) {
  return *std::find_if(made_.rbegin(), std::prev(made_.rend()),
                       [&](const MadeFile& made) { return made.first_record <= record; });
}

// A callback is told the record's time, so its records are placed when they are closed, one by one; what is encoded has
// no place before its size is known.
bool FileOwner::may_place(std::int64_t record) const {
  if (of_.in_turns()) return record < ledger_.closed();
  return !of_.blocks().files.sizes_first || (record < ledger_.closed() && sizes_.are_known(record));
}

void FileOwner::place(std::int64_t record) {
  MadeFile& made = file_of(record);
  const std::int64_t index = record - made.first_record;
  for (const auto& part : made.parts) part->extend(index + 1);
  if (of_.blocks().files.sizes_first) {
    store_chunks(made, index, record);
  }
  block::PlaceRecord command{of_.number(), record, made.number, index, {}, ledger_.closed_time_s()};
  if (of_.places_chunks()) {
    command.offsets = offsets_of(of_.rank, made, record);
    for (const int writer : of_.plan.other_writers)
      of_.messages.send(
          writer, messages::RecordPlaced{of_.number(), record, made.number, index, offsets_of(writer, made, record)});
  }
  of_.book.send(std::move(command));
}

void FileOwner::commit_closed() {
  const std::int64_t records = std::min(ledger_.placed(), ledger_.closed());
  while (committed_ < records) {
    MadeFile& made = file_of(committed_);
    committed_ = made.end_record < 0 ? records : std::min(records, made.end_record);
    block::CommitRecords command{of_.number(), made.number, committed_ - 1, {}};
    for (const auto& part : made.parts) command.transactions.push_back(part->commit(committed_ - made.first_record));
    of_.book.send(std::move(command));
  }
}

std::vector<std::int64_t> FileOwner::offsets_of(int writer, const MadeFile& made, std::int64_t record) const {
  std::vector<std::int64_t> offsets;
  for (const int of : of_.plan.chunks_of.at(writer))
    for (const Chunk& chunk : of_.plan.record_chunks.at(of))
      offsets.push_back(made.part(chunk.part).offset(chunk.variable, record - made.first_record, chunk.number));
  return offsets;
}

// ---- encoded chunks: their sizes are told by the ranks that write them

bool FileOwner::owes(std::int64_t records) const {
  return of_.blocks().files.sizes_first && ledger_.placed() < records;
}

// sizes_of: whose sizes are meant, as they were told; record: in the file, or fixed_record.
void FileOwner::store_chunks(MadeFile& made, std::int64_t record, std::int64_t sizes_of) {
  const auto encoded = sizes_.encoded(sizes_of, made.parts.size());
  for (std::size_t part = 0; part < encoded.size(); ++part) made.parts[part]->store(record, encoded[part]);
  sizes_.forget(sizes_of);
}

bool FileOwner::take_sizes(int writer, std::int64_t record, std::vector<std::int64_t> codes) {
  const Timer timer(of_.counters.metadata_s);
  sizes_.told(writer, record, std::move(codes));
  if (!block::is_fixed(record)) return true;
  for (MadeFile& made : made_) place_fixed(made);
  close_ended_files();
  return false;
}

Index FileOwner::shape_in_part(int variable, std::size_t part) const {
  const catalog::Definition& definition = of_.plan.definition;
  const catalog::Variable& of = definition.variable(variable);
  return of_.plan.parts.empty() ? definition.joined_shape(of) : sets::box_of(of, of_.plan.parts[part].sections).count;
}

std::vector<std::int64_t> FileOwner::fixed_offsets(const MadeFile& made, bool has_encoded) const {
  std::vector<std::int64_t> offsets;
  const std::vector<catalog::Variable>& variables = of_.plan.definition.variables;
  for (std::size_t part = 0; part < made.parts.size(); ++part)
    for (int v = 0; v < std::ssize(variables); ++v) {
      const catalog::Variable& of = variables[static_cast<std::size_t>(v)];
      const std::int64_t places = block::fixed_places(of, shape_in_part(v, part));
      const bool is_placed = has_encoded || !of.encoding.changes_size();
      for (std::int64_t chunk = 0; chunk < places; ++chunk)
        offsets.push_back(is_placed ? made.parts[part]->offset(v, 0, chunk) : block::unknown_offset);
    }
  return offsets;
}

void FileOwner::place_fixed(MadeFile& made) {
  const std::int64_t sizes = block::fixed_of_file(made.number);
  if (!of_.blocks().files.fixed_sizes_first || made.fixed_placed || !sizes_.are_known(sizes)) return;
  made.fixed_placed = true;
  store_chunks(made, block::fixed_record, sizes);
  block::PlaceFixed command{of_.number(), made.number, fixed_offsets(made, true)};
  tell_others(messages::FixedPlaced{of_.number(), made.number, command.offsets});
  of_.book.send(std::move(command));
}

// ---- messages

// Of the other kinds an owner sends, or is told, nothing.
bool FileOwner::hear(const messages::Message& message) {
  if (const auto* of = std::get_if<messages::ChunksEncoded>(&message))
    return take_sizes(of->writer, of->record, of->sizes);
  if (const auto* of = std::get_if<messages::RecordWritten>(&message))
    of_.book.send(block::OtherWriterWrote{of_.number(), of->record, of->file, of->index_in_file, of->sums});
  if (const auto* of = std::get_if<messages::FileWritten>(&message))
    of_.book.send(block::OtherWriterClosed{of_.number(), of->file, of->sums});
  if (const auto* of = std::get_if<messages::NameParts>(&message))
    of_.book.send(block::NameParts{of_.number(), of->file});
  if (const auto* of = std::get_if<messages::PartsNamed>(&message))
    of_.book.send(block::OtherWriterNamed{of_.number(), of->file});
  return false;
}

bool FileOwner::hear(const block::Result& result) {
  if (const auto* of = std::get_if<block::ChunksEncoded>(&result))
    return !is_of_others(*of) && take_sizes(encoder_of(of->record), of->record, of->sizes);
  if (const auto* of = std::get_if<block::FileWritten>(&result))  // a part of a set
    of_.messages.send(of_.plan.owner, messages::FileWritten{of_.number(), of->file, of->sums});
  if (const auto* of = std::get_if<block::SetWritten>(&result))
    for (const int writer : set_writers_elsewhere())
      of_.messages.send(writer, messages::NameParts{of_.number(), of->file});
  if (const auto* of = std::get_if<block::PartsNamed>(&result))
    of_.messages.send(of_.plan.owner, messages::PartsNamed{of_.number(), of->file});
  if (const auto* of = std::get_if<block::FileSummed>(&result)) complete(*of);
  return false;
}

}  // namespace thalweg::files
