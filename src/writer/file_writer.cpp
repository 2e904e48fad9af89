#include "writer/file_writer.hpp"

#include <algorithm>

namespace thalweg::writer {
namespace {

// A chunk that spans several records is counted with the first of them.
std::int64_t chunks_begun(const storage::BlockToWrite& of, const block::ObjectLayout* objects) {
  if (!of.block->chunks) return 0;
  const block::ObjectGrid* grid = objects == nullptr ? nullptr : &objects->grid(of.block->variable);
  const bool goes_on = grid != nullptr && grid->has_record && of.place.index_in_file % grid->chunk[0] != 0;
  return goes_on ? 0 : of.block->map.run_count;
}

}  // namespace

FileWriter::FileWriter(const block::FileNames& names, const block::CollectionPlan& plan, storage::StorageAccess& access)
    : names_(names), durability_(plan.files.durability), access_(access), objects_(plan.files.objects) {
  written_.file = names.path;
  const auto call = access_.call(staging::WriterActivity::write);
  if (!names.output && !names.session_id.empty()) share_.emplace(names.path, names.session_id);
  sink_ = storage::open_sink(names, plan, access);
}

void FileWriter::write(std::span<const storage::BlockToWrite> blocks) {
  const profile::StorageCounters before = sink_->counts();
  sink_->write(blocks);
  profile::BytesOfRecords batch;
  for (const storage::BlockToWrite& of : blocks) {
    const std::int64_t bytes = of.block->map.run_count * of.block->map.run_bytes;
    written_.written.raw_bytes += bytes;
    written_.written.chunks += chunks_begun(of, objects_.get());
    if (of.place.is_fixed()) continue;
    batch[of.place.record] += bytes;
    written_.records = std::max(written_.records, of.place.index_in_file + 1);
  }
  const profile::StorageCounters& after = sink_->counts();
  rates_.add(batch, after.direct_bytes + after.buffered_bytes - before.direct_bytes - before.buffered_bytes,
             after.write_s - before.write_s);
}

profile::WrittenFile FileWriter::written() const {
  profile::WrittenFile told = written_;
  told.written.file_bytes = written_bytes();
  told.written.write_s = sink_->counts().write_s;
  told.written.sync_s = sink_->counts().sync_s;
  told.written.best = rates_.best();
  return told;
}

void FileWriter::commit(const block::Transaction& transaction) {
  const auto call = access_.call(staging::WriterActivity::commit);
  const Timer timer(commit_s_);
  sink_->commit(transaction);
}

void FileWriter::close() {
  if (durability_ != config::Durability::none) sync();
  sink_->close();
  share_.reset();
}

bool FileWriter::complete(const block::Transaction& last) {
  if (names_.output->spares_complete(last.records)) return false;
  commit(last);
  close();
  return true;
}

void FileWriter::publish(const std::optional<block::Checksums>& checksums) {
  const auto call = access_.call(staging::WriterActivity::publish);
  has_checksums_ = names_.output->publish(sink_->identity(), durability_ != config::Durability::none, checksums);
}

std::int64_t FileWriter::written_bytes() const {
  return sink_->counts().direct_bytes + sink_->counts().buffered_bytes;
}

void FileWriter::sync() {
  const auto call = access_.call(staging::WriterActivity::sync);
  sink_->sync();
}

void FileWriter::add_counts(profile::WriterCounters& counters) const {
  counters += sink_->counts();
  counters.commit_s += commit_s_;
  counters.checksum_files += has_checksums_ ? 1 : 0;
}

}  // namespace thalweg::writer
