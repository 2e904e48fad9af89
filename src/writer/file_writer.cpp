#include "writer/file_writer.hpp"

namespace thalweg::writer {

FileWriter::FileWriter(const block::FileNames& names, const block::CollectionPlan& plan, storage::StorageAccess& access)
    : names_(names), durability_(plan.files.durability), access_(access) {
  const auto call = access_.call(staging::WriterActivity::write);
  if (!names.output && !names.session_id.empty()) share_.emplace(names.path, names.session_id);
  sink_ = storage::open_sink(names, plan, access);
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
