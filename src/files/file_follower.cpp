#include "files/file_follower.hpp"

#include <algorithm>
#include <utility>

namespace thalweg::files {

// ---- files

void FileFollower::open_file(const Upcoming& upcoming) {
  file_ = upcoming.file;
  first_record_ = upcoming.record;
  block::OpenFile command;
  command.collection = of_.number();
  command.file = upcoming.file;
  command.parts = names_->names(upcoming.file_name);
  awaited_[upcoming.file] = std::move(command);
  awaited_from_ = upcoming.record;
  if (const auto announced = announced_.extract(upcoming.file)) open_made_file(announced.key(), announced.mapped());
}

void FileFollower::open_made_file(std::int64_t file, const std::vector<std::int64_t>& fixed_offsets) {
  auto awaited = awaited_.extract(file);
  awaited.mapped().fixed_offsets = fixed_offsets;
  of_.book.send(std::move(awaited.mapped()));
}

void FileFollower::end_file() {
  of_.book.send(block::CloseFile{of_.number(), file_, ledger_.closed(), {}});
}

// ---- records

// Chunks are placed by what the owner tells.
void FileFollower::place(std::int64_t record) {
  if (of_.places_chunks()) return;
  of_.book.send(block::PlaceRecord{of_.number(), record, file_, record - first_record_, {}, ledger_.closed_time_s()});
}

bool FileFollower::owes(std::int64_t records) const {
  if (!awaited_.empty() && awaited_from_ < records) return true;
  if (!of_.places_chunks()) return false;
  const auto is_encoded = [](const block::PlannedBlock& block) { return block.encoding.changes_size(); };
  const bool tells = std::ranges::any_of(of_.blocks().record_blocks, is_encoded);
  return heard_.count() < records || (tells && told_.count() < records);
}

// ---- messages

// Of the other kinds nobody tells a follower.
bool FileFollower::hear(const messages::Message& message) {
  if (const auto* of = std::get_if<messages::FileReady>(&message)) {
    if (awaited_.contains(of->file))
      open_made_file(of->file, of->fixed_offsets);
    else
      announced_[of->file] = of->fixed_offsets;
  }
  if (const auto* of = std::get_if<messages::RecordPlaced>(&message)) {
    heard_.add(of->record);
    of_.book.send(block::PlaceRecord{of_.number(), of->record, of->file, of->index_in_file, of->offsets, 0.0});
  }
  if (const auto* of = std::get_if<messages::FixedPlaced>(&message))
    of_.book.send(block::PlaceFixed{of_.number(), of->file, of->offsets});
  return false;
}

void FileFollower::tell_sizes(const block::ChunksEncoded& of) {
  if (!block::is_fixed(of.record)) told_.add(of.record);
  if (is_of_others(of)) return;
  of_.messages.send(of_.plan.owner, messages::ChunksEncoded{of_.number(), of.record, encoder_of(of.record), of.sizes});
}

bool FileFollower::hear(const block::Result& result) {
  if (const auto* of = std::get_if<block::ChunksEncoded>(&result)) tell_sizes(*of);
  if (const auto* of = std::get_if<block::RecordWritten>(&result))
    of_.messages.send(of_.plan.owner,
                      messages::RecordWritten{of_.number(), of->record, of->file, of->index_in_file, of->sums});
  if (const auto* of = std::get_if<block::FileWritten>(&result))
    of_.messages.send(of_.plan.owner, messages::FileWritten{of_.number(), of->file, of->sums});
  return false;
}

}  // namespace thalweg::files
