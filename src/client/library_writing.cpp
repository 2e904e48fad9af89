// Session: engine library. The model's thread calls the library itself, and together with others, so a record is
// written within advance. A collective call cannot be given up; therefore everything that could keep a rank from it
// comes before, with a deadline: the node's blocks are complete, and all ranks that call the library are here. While
// they wait, all ranks take the messages that blocks of other collections and nodes wait for.
#include "base/clock.hpp"
#include "client/library_desk.hpp"
#include "client/session.hpp"
#include "transport/collective.hpp"

namespace thalweg::client {
namespace {

constexpr double meeting_interval_s = 0.0005;

}  // namespace

void Session::at_library(Collection& collection, const std::function<void(LibraryDesk&)>& work) {
  try {
    work(*collection.library);
  } catch (const Error& error) {
    control_->report_failure(error.code(), error.what());
    if (roles_->leads_node()) spread_failure();
    throw;
  }
}

// record: that is closed; -1: variables without records are the last that is missing.
void Session::meet_at_library(const Collection& collection, std::int64_t record) {
  const staging::WaitFor what{staging::WaitCause::commit, collection.number, -1, record};
  const auto is_here = [&] {
    return record < 0 ? is_fixed_complete(*collection.plan) : is_complete(*collection.plan, record);
  };
  drain_until(is_here, what, missing_blocks(collection, record));
  transport::PendingBarrier barrier(collection.library->circle());
  drain_until([&] { return barrier.is_done(); }, what,
              "Not every rank that writes this collection through the library came to write.\n", meeting_interval_s);
}

void Session::write_by_library(Collection& collection, const Upcoming& upcoming) {
  const Timer timer(counters_.wait_commit_s);
  if (collection.library) {
    meet_at_library(collection, upcoming.record);
    at_library(collection, [&](LibraryDesk& desk) { desk.write_record(upcoming); });
    control_->tell_news();
  }
  drain_until([&] { return collection.written_records() > upcoming.record; },
              {staging::WaitCause::commit, collection.number, -1, upcoming.record}, "");
}

void Session::finish_by_library(Collection& collection) {
  if (!collection.library) return;
  meet_at_library(collection, -1);
  at_library(collection, [](LibraryDesk& desk) { desk.finish(); });
  control_->tell_news();
}

// Made before the wait: it says which rank was late when it began.
std::string Session::missing_blocks(const Collection& collection, std::int64_t record) const {
  const store::CollectionPlan& plan = *collection.plan;
  for (std::size_t b = 0; record >= 0 && b < plan.record_blocks.size(); ++b) {
    const auto block = static_cast<std::int64_t>(b);
    const auto arrived = plan.record_ring.state(plan.record_ring.slot_of(record), block).arrivals.load();
    if (arrived < plan.record_blocks[b].expected)
      return block_blame(collection, plan.record_blocks[b].variable, {0, block}, record);
  }
  return "";
}

// A rank that called a library wrote, whether it leads its node or not.
void Session::add_library(profile::Report& report) const {
  for (std::size_t c = 0; c < ready_collections_.size(); ++c) {
    const auto& library = ready_collections_[c]->library;
    if (!library) continue;
    report.is_writer = true;
    report.writer += library->counters();
    report.collections[c].library_files = library->reports();
  }
}

}  // namespace thalweg::client
