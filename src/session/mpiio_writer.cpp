#include "session/mpiio_writer.hpp"

#include "base/seconds.hpp"
#include "block/completeness.hpp"
#include "health/missing_pieces.hpp"
#include "transport/collective.hpp"

namespace thalweg::session {

void MpiioWriter::at_library(Collection& collection, const std::function<void(files::MpiioFiles&)>& work) {
  try {
    work(*collection.mpiio);
  } catch (const Error& error) {
    board_.report(error.code(), error.what());
    if (roles_.leads_node()) failures_.spread();
    throw;
  }
}

// record: that is closed; -1: variables without records are the last that is missing.
void MpiioWriter::meet(const Collection& collection, std::int64_t record) {
  const staging::WaitFor what{staging::WaitCause::commit, collection.number, -1, record};
  const auto is_here = [&] {
    return record < 0 ? block::is_fixed_complete(*collection.blocks.own)
                      : block::is_complete(*collection.blocks.own, record);
  };
  // The text is made before the wait: it says which rank was late when it began.
  waits_.until(is_here, what, health::missing_blocks(roles_, collection.blocks, record));
  transport::PendingBarrier barrier(collection.mpiio->circle());
  waits_.until_heard([&] { return barrier.is_done(); }, what,
                     "Not every rank that writes this collection through the library came to write.\n");
}

void MpiioWriter::write(Collection& collection, const files::Upcoming& upcoming) {
  const Timer timer(counters_.wait_commit_s);
  if (collection.mpiio) {
    meet(collection, upcoming.record);
    at_library(collection, [&](files::MpiioFiles& files) { files.write_record(upcoming); });
    wake_ups_.note_progress();
  }
  file_waits_.until_written(collection.node_files(), upcoming.record + 1);
}

void MpiioWriter::close_file(Collection& collection, const files::Upcoming& ending) {
  if (!collection.mpiio) return;
  meet(collection, -1);
  at_library(collection, [&](files::MpiioFiles& files) { files.close_file(ending); });
  wake_ups_.note_progress();
}

void MpiioWriter::finish(Collection& collection) {
  if (!collection.mpiio) return;
  meet(collection, -1);
  at_library(collection, [](files::MpiioFiles& files) { files.finish(); });
  wake_ups_.note_progress();
}

void MpiioWriter::add_to(profile::Report& report, const std::vector<Collection*>& ready) {
  for (std::size_t c = 0; c < ready.size(); ++c) {
    const auto& mpiio = ready[c]->mpiio;
    if (!mpiio) continue;
    report.is_writer = true;
    report.writer += mpiio->counters();
    report.collections[c].library_files = mpiio->told().reports;
    report.collections[c].written += mpiio->told().written;
  }
}

}  // namespace thalweg::session
