#include "writer/file_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace thalweg::writer {
namespace {

// The name itself must be on stable storage too.
void sync_folder(const std::string& path) {
  const std::string folder = std::filesystem::absolute(path).parent_path();
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

FileWriter::FileWriter(const store::OpenFile& order, const store::CollectionPlan& plan, staging::Control& control)
    : order_(order),
      durability_(plan.durability),
      owns_(plan.owns_files),
      control_(control),
      mover_(order.partial_path, plan.direct_io),
      journal_(order.partial_path) {
  if (!mover_.fallback_reason().empty())
    log::debug("'{}': direct writes are off: {}", order.partial_path, mover_.fallback_reason());
}

void FileWriter::write(std::span<store::DataRun> runs) {
  control_.set_activity(staging::WriterActivity::write, now_s());
  mover_.write(runs);
}

void FileWriter::commit(const store::Transaction& transaction) {
  control_.set_activity(staging::WriterActivity::commit, now_s());
  const Timer timer(commit_s_);
  store::apply(mover_, transaction, &journal_, durability_ == config::Durability::record);
}

void FileWriter::close(const store::Transaction& transaction) {
  if (owns_) commit(transaction);
  if (durability_ != config::Durability::none) sync();
  if (owns_) publish();
}

void FileWriter::sync() {
  control_.set_activity(staging::WriterActivity::sync, now_s());
  mover_.sync();
}

void FileWriter::publish() {
  control_.set_activity(staging::WriterActivity::publish, now_s());
  journal_.remove();
  if (std::rename(order_.partial_path.c_str(), order_.path.c_str()) != 0)
    fail(THALWEG_ERROR_STORAGE, "cannot rename '{}' to '{}': {}; the file is complete under its first name",
         order_.partial_path, order_.path, std::strerror(errno));
  if (durability_ != config::Durability::none) sync_folder(order_.path);
}

void FileWriter::add_counts(profile::WriterCounters& counters) const {
  const store::MoverCounts& counts = mover_.counts();
  counters.direct_bytes += counts.direct_bytes;
  counters.buffered_bytes += counts.buffered_bytes;
  counters.write_calls += counts.calls;
  counters.syncs += counts.syncs;
  counters.write_s += counts.write_s;
  counters.sync_s += counts.sync_s;
  counters.commit_s += commit_s_;
}

}  // namespace thalweg::writer
