#include "files/file_coordinator.hpp"

#include <utility>

#include "base/clock.hpp"
#include "base/seconds.hpp"
#include "files/file_follower.hpp"
#include "files/file_owner.hpp"

namespace thalweg::files {
namespace {

std::unique_ptr<FileRole> role_in(const FileContext& context, const PlacementLedger& ledger,
                                  std::unique_ptr<FileMaker> maker) {
  if (context.blocks().files.owned) return std::make_unique<FileOwner>(context, ledger, std::move(maker));
  return std::make_unique<FileFollower>(context, ledger, std::move(maker));
}

}  // namespace

FileCoordinator::FileCoordinator(const FileContext& context, std::unique_ptr<FileMaker> maker)
    : context_(context), role_(role_in(context, ledger_, std::move(maker))) {}

void FileCoordinator::begin_record(const Upcoming& upcoming) {
  if (!upcoming.due || ledger_.begun() > upcoming.record) return;
  const Timer timer(context_.counters.metadata_s);
  if (upcoming.opens_file) begin_file(upcoming);
  ledger_.begin(upcoming.record);
  if (!context_.blocks().whole_records) place_until(ledger_.begun());
}

void FileCoordinator::begin_file(const Upcoming& upcoming) {
  if (has_open_file_) end_file();
  ++files_;
  has_open_file_ = true;
  role_->open_file(upcoming);
}

void FileCoordinator::close_file(const Upcoming& ending) {
  const Timer timer(context_.counters.metadata_s);
  if (ending.opens_file) begin_file(ending);
  end_file();
}

void FileCoordinator::pass_turn() {
  if (has_open_file_) end_file();
}

void FileCoordinator::end_record(double time_s) {
  ledger_.close(time_s);
  if (context_.blocks().files.ends_with_record()) return end_file();
  place_if_worth_it();
}

void FileCoordinator::place_if_worth_it() {
  const bool gathers = context_.blocks().whole_records && !is_finishing_;
  if (ledger_.is_batch_due(
          {gathers, write_behind().records, interval_s(), context_.blocks().rings.moments().shape().usual_depth()},
          now_s()))
    place_batch();
}

void FileCoordinator::place_overdue() {
  if (ledger_.is_overdue(now_s(), interval_s())) place_batch();
}

// The record that is being put waits for the next batch: placed now, its blocks would go out one by one.
void FileCoordinator::place_batch() {
  place_until(ledger_.closed());
  role_->end_batch();
}

void FileCoordinator::place_pending() {
  ledger_.ask();
  place_until(ledger_.begun());
  place_batch();
}

void FileCoordinator::place_until(std::int64_t records) {
  while (ledger_.placed() < records && role_->may_place(ledger_.placed())) {
    ledger_.begin_placing(now_s());
    role_->place(ledger_.placed());
    ledger_.place_next();
  }
}

// No record follows in the open file.
void FileCoordinator::end_file() {
  place_until(ledger_.closed());
  role_->end_file();
  has_open_file_ = false;
}

void FileCoordinator::finish() {
  const Timer timer(context_.counters.metadata_s);
  is_finishing_ = true;
  if (files_ == 0 && context_.series.schedule.file_count() > 0) {
    Upcoming first;
    first.opens_file = true;
    first.file_name = fill_template(context_.declaration().settings().file, Calendar::standard, Date{});
    begin_file(first);
  }
  pass_turn();
}

void FileCoordinator::hear(const messages::Message& message) {
  if (role_->hear(message)) place_if_worth_it();
}

void FileCoordinator::hear(const block::Result& result) {
  if (role_->hear(result)) place_if_worth_it();
}

}  // namespace thalweg::files
