// Session: the end. Everything that was put is written, committed and published, on all nodes, before anyone leaves.
#include <algorithm>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "client/area.hpp"
#include "client/session.hpp"
#include "transport/collective.hpp"

namespace thalweg::client {
namespace {

std::vector<profile::DoubtfulPuts> doubtful_puts(const Collection& collection) {
  std::vector<profile::DoubtfulPuts> found;
  for (std::size_t v = 0; v < collection.puts.size(); ++v)
    if (const VariablePuts& puts = collection.puts[v]; puts.missing > 0 || puts.out_of_range > 0)
      found.push_back({collection.variable(static_cast<int>(v)).name, puts.missing, puts.out_of_range});
  return found;
}

}  // namespace

profile::Report Session::finish() {
  throw_if_failed();
  const double start_s = now_s();
  const profile::Phases::Phase phase(phases_, times_.clean_up_s);
  require_ready();
  tell(verbs::Finish{});
  told_finish_ = true;
  meet_after_steps();
  require_all_arrived();
  check_steps_agree();
  for (Collection* collection : ready_collections_)
    if (!is_given_up(*collection) && !has_nothing_to_publish(*collection))
      unless_lost([&] { put_missing(*collection, false, 0); });
  close_files();
  for (const Collection* collection : ready_collections_) {
    if (is_given_up(*collection) || has_nothing_to_publish(*collection)) continue;
    const FileDesk* desk = desk_of(*collection);  // may have opened a file for a record that was never closed
    const std::int64_t files = desk == nullptr ? collection->files : desk->files();
    const auto has_files = [&](const Share& share) {
      return !share.participates || share.plan->record_ring.progress().files.load(std::memory_order_acquire) >= files;
    };
    unless_lost([&] {
      drain_until([&] { return std::ranges::all_of(collection->shares, has_files); },
                  {staging::WaitCause::commit, collection->number, -1, collection->schedule.closed_records() - 1},
                  "Its last file is not published.\n");
    });
  }
  wait_for_sends(0.001);
  require_all_arrived();
  check_changes_agree();
  counters_.finish_s = now_s() - start_s;
  end_progress_thread();
  stop_writer();
  if (definition_error_) throw *definition_error_;
  return report();
}

// After an error in definitions nobody knows what the model would have put into a file without records.
bool Session::has_nothing_to_publish(const Collection& collection) const {
  return definition_error_.has_value() && collection.schedule.closed_records() == 0;
}

void Session::close_files() {
  for (Collection* collection : ready_collections_) {
    if (has_nothing_to_publish(*collection)) continue;
    // Every rank of a node counts the files of its leader's desk: they follow from the schedule alone.
    collection->files = collection->schedule.file_count();
    at_desk(*collection, [](FileDesk& desk) { desk.finish(); });
    collection->ask_for(staging::BlockRing::all_records);
  }
  control_->ring();
  for (Collection* collection : ready_collections_)
    if (!has_nothing_to_publish(*collection)) finish_by_library(*collection);
}

// Not if it hangs in a write: then, after a failure, it is not waited for any longer than this.
bool Session::stop_writer() {
  constexpr double patience_after_failure_s = 0.1;
  return !writer_ || writer_->stop(control_->has_writer_failed() ? patience_after_failure_s : settings_.deadline_s);
}

// A thread that hangs in the kernel cannot be ended. What it may still look at stays where it is, until the process
// ends.
void Session::abandon_writer() {
  struct Left {
    std::unique_ptr<WriterPort> writer;
    std::unique_ptr<store::OrderBook> book;
    staging::SharedMemory control;
    std::list<Area> areas;
  };
  log::warning("rank {}: the writer hangs in a call to the storage and is left behind", roles_->rank);
  new Left{std::move(writer_), std::move(book_), std::move(control_memory_), std::move(areas_)};
}

void Session::end_mapping() {
  for (std::thread& thread : mapping_) thread.join();
  mapping_.clear();
}

// Also after a failure: nothing here waits for other ranks.
void Session::release() {
  roles_->world.patience()->is_broken |= control_->has_failed();
  leave_servers("the model ended its session after an error");
  end_progress_thread();
  end_mapping();
  if (!stop_writer()) abandon_writer();
  writer_.reset();  // with the threads that encode: they work in the areas
  leave_messages();
  desks_.clear();
  ready_collections_.clear();
  collections_.clear();
  areas_.clear();
}

// What was sent to servers that are lost, or is under way to or from ranks that are gone, may be looked at by the MPI
// library as long as it lives.
void Session::leave_messages() {
  bool are_under_way = !arrivals_.cancel();
  are_under_way |= !everything_sent();
  for (int group = 0; group < static_cast<int>(losses_.size()); ++group) are_under_way |= control_->is_lost(group);
  if (are_under_way && !areas_.empty()) new std::list<Area>(std::move(areas_));
}

profile::Report Session::report() {
  profile::Report report;
  phases_.end();
  report.client = counters_;
  report.server = times_;
  if (writer_) report.writer = writer_->counters();
  report.staging_bytes = staging_bytes_;
  report.session_s = now_s() - start_s_;
  report.rank = roles_->rank;
  report.node = roles_->node;
  report.is_writer = writer_ != nullptr;
  report.is_server = !roles_->is_client();
  for (const Collection* collection : ready_collections_)
    report.collections.push_back({collection->name,
                                  collection->schedule.closed_records(),
                                  collection->files,
                                  collection->plan->record_ring.shape().depth,
                                  {},
                                  doubtful_puts(*collection)});
  add_library(report);
  return report;
}

}  // namespace thalweg::client
