#include "writer/file_writer.hpp"

#include "base/clock.hpp"
#include "base/log.hpp"

namespace thalweg::writer {

FileWriter::FileWriter(const store::FileNames& names, const store::CollectionPlan& plan, StorageAccess& access)
    : names_(names), durability_(plan.durability), access_(access), journal_(names.partial_path) {
  if (plan.procedure) {
    procedure_.emplace(plan, names.path, access);
    return;
  }
  const auto call = access_.call(staging::WriterActivity::write);
  if (!names.output && !names.session_id.empty()) share_.emplace(names.path, names.session_id);
  if (plan.zarr) {
    store_.emplace(names.partial_path, plan.direct_io);
    written_ = store_->identity();
    return;
  }
  mover_.emplace(names.partial_path, plan.direct_io);
  written_ = mover_->identity();
  if (!mover_->fallback_reason().empty())
    log::debug("'{}': direct writes are off: {}", names.partial_path, mover_->fallback_reason());
}

void FileWriter::write(std::span<store::DataRun> runs) {
  const auto call = access_.call(staging::WriterActivity::write);
  if (!access_.limit().is_set()) return mover_->write(runs);
  for (std::vector<store::DataRun>& slice : cut_into_slices(runs, access_.limit().slice_bytes())) {
    std::int64_t bytes = 0;
    for (const store::DataRun& run : slice) bytes += run.bytes;
    access_.pace(bytes);
    mover_->write(slice);
  }
}

void FileWriter::put_object(const std::string& key, std::span<const std::span<const std::byte>> pieces) {
  const auto call = access_.call(staging::WriterActivity::write);
  std::int64_t bytes = 0;
  for (const auto& piece : pieces) bytes += std::ssize(piece);
  access_.pace(bytes);
  store_->put(key, pieces, store::stable_with(durability_));
}

store::GrowingChunk& FileWriter::growing_chunk(const ChunkPlace& place, const store::PlannedBlock& block,
                                               std::int64_t chunk_records) {
  return growing_.try_emplace(place, block.type, block.map.run_bytes, chunk_records, block.fill).first->second;
}

void FileWriter::put_growing_chunks(std::int64_t records, const KeyOf& key_of) {
  for (auto& [place, chunk] : growing_)
    chunk.commit(records, [&](std::int64_t row, std::span<const std::byte> bytes) {
      put_object(key_of(place, row), std::span(&bytes, 1));
    });
}

// A procedure is through with a record when it has returned from it.
void FileWriter::commit(const store::Transaction& transaction) {
  if (procedure_) return;
  const auto call = access_.call(staging::WriterActivity::commit);
  const Timer timer(commit_s_);
  // Somebody may have recovered the file meanwhile, who has removed the lock: nothing more becomes visible in it then.
  store::require_same(written_, names_.partial_path);
  if (transaction.objects)
    store::apply(*store_, *transaction.objects, store::stable_with(durability_));
  else
    store::apply(*mover_, transaction, &journal_, durability_ == config::Durability::record);
}

void FileWriter::close() {
  if (procedure_) return procedure().end();
  if (durability_ != config::Durability::none) sync();
  if (mover_) mover_->close();
  share_.reset();
}

bool FileWriter::close(const store::Transaction& last, const std::optional<store::Checksums>& checksums) {
  if (procedure_) {
    close();
    return true;
  }
  if (names_.output->spares_complete(last.records)) {
    names_.output->give_up();
    return false;
  }
  commit(last);
  close();
  publish(checksums);
  return true;
}

void FileWriter::sync() {
  if (procedure_) return;
  const auto call = access_.call(staging::WriterActivity::sync);
  if (store_)
    store_->sync();
  else
    mover_->sync();
}

void FileWriter::publish(const std::optional<store::Checksums>& checksums) {
  const auto call = access_.call(staging::WriterActivity::publish);
  has_checksums_ = names_.output->publish(written_, durability_ != config::Durability::none, checksums);
}

const store::MoverCounts& FileWriter::counts() const {
  if (procedure_) return procedure_->counts();
  return store_ ? store_->counts() : mover_->counts();
}

void FileWriter::add_counts(profile::WriterCounters& counters) const {
  const store::MoverCounts& own = counts();
  counters.direct_bytes += own.direct_bytes;
  counters.buffered_bytes += own.buffered_bytes;
  counters.write_calls += own.calls;
  counters.syncs += own.syncs;
  counters.write_s += own.write_s;
  counters.sync_s += own.sync_s;
  counters.commit_s += commit_s_;
  counters.checksum_files += has_checksums_ ? 1 : 0;
}

}  // namespace thalweg::writer
