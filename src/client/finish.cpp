// Session: the end. Everything that was put is written, committed and published, on all nodes, before anyone leaves.
#include "base/clock.hpp"
#include "base/error.hpp"
#include "client/area.hpp"
#include "client/session.hpp"
#include "transport/collective.hpp"

namespace thalweg::client {

profile::Report Session::finish() {
  control_->throw_failure();
  const double start_s = now_s();
  require_ready();
  for (Collection* collection : ready_collections_) put_missing(*collection, false, 0);
  close_files();
  for (const Collection* collection : ready_collections_) {
    if (!collection->participates) continue;
    const auto& done = collection->plan->record_ring.progress().files;
    const std::int64_t files = collection->files;
    drain_until([&] { return done.load(std::memory_order_acquire) >= files; },
                {staging::WaitCause::commit, collection->number, -1, collection->schedule.closed_records() - 1},
                "Its last file is not published.\n");
  }
  drain_until([&] { return everything_sent(); }, {staging::WaitCause::send, -1, -1, -1}, "", 0.001);
  require_clients_arrived();
  counters_.finish_s = now_s() - start_s;
  stop_writer();
  return report();
}

void Session::close_files() {
  for (Collection* collection : ready_collections_) {
    // Every rank of a node counts the files of its leader's desk: they follow from the schedule alone.
    collection->files = collection->schedule.file_count();
    if (FileDesk* desk = desk_of(*collection)) desk->finish();
  }
  if (roles_->leads_node()) control_->ring();
}

void Session::stop_writer() {
  if (writer_) writer_->stop();
}

void Session::end_mapping() {
  for (std::thread& thread : mapping_) thread.join();
  mapping_.clear();
}

// Also after a failure: nothing here waits for other ranks.
void Session::release() {
  stop_writer();
  end_mapping();
  for (Collection* collection : ready_collections_)
    for (Inbox& inbox : collection->inboxes) inbox.channel.cancel();
  desks_.clear();
  ready_collections_.clear();
  collections_.clear();
  areas_.clear();
}

profile::Report Session::report() {
  profile::Report report;
  report.client = counters_;
  if (writer_) report.writer = writer_->counters();
  report.staging_bytes = staging_bytes_;
  report.session_s = now_s() - start_s_;
  report.rank = roles_->rank;
  report.node = roles_->node;
  report.is_writer = writer_ != nullptr;
  for (const Collection* collection : ready_collections_)
    report.collections.push_back({collection->name, collection->schedule.closed_records(), collection->files,
                                  collection->plan->record_ring.shape().depth});
  return report;
}

}  // namespace thalweg::client
