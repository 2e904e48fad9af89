#include "writer/record_ledger.hpp"

#include <algorithm>

namespace thalweg::writer {

RecordLedger::Record& RecordLedger::record(std::int64_t number) {
  const auto [found, is_new] = records_.try_emplace(number);
  Record& of = found->second;
  if (!is_new) return of;
  if (plan_.assignment) {  // until it is known that the assigned ones are another's
    of.blocks = (plan_.has_pinned ? pinned_blocks() : 0) + assigned_blocks();
  } else {
    of.is_own = plan_.has_pinned;
    of.blocks = plan_.has_pinned ? std::ssize(plan_.record_blocks) : 0;
  }
  of.blocks_left = of.blocks;
  return of;
}

void RecordLedger::add_ready(const ReadyBlock& ready) {
  ready_.push_back(ready);
  ++record(ready.moment).blocks_ready;
}

ReadyBlock* RecordLedger::oldest_in_slot() {
  const auto found = std::ranges::find_if(
      ready_, [&](const ReadyBlock& ready) { return !ready.saved && !planned(plan_, ready).is_fill_only(); });
  return found == ready_.end() ? nullptr : &*found;
}

bool RecordLedger::is_due(const ReadyBlock& ready) const {
  if (ready.moment >= plan_.rings.moments().due()) return false;
  const auto found = records_.find(ready.moment);
  if (found == records_.end() || found->second.placement.file < 0) return false;
  if (plan_.files.in_turns() && ready.moment != written_) return false;
  if (plan_.whole_records && found->second.blocks_ready < found->second.blocks) return false;
  if (ready.saved) return true;
  // A fill-only block has no arrivals to wait for, but its slot must have become free, and it needs memory.
  return plan_.rings.takes_pieces(ready);
}

void RecordLedger::place(const block::PlaceRecord& command) {
  placed_ = std::max(placed_, command.record + 1);
  record(command.record).placement = {command.file, command.index_in_file, command.offsets, command.time_s};
  add_fill_only(command.record, 0);
}

void RecordLedger::add_fill_only(std::int64_t number, std::int64_t first) {
  for (std::int64_t b = first; b < std::ssize(plan_.record_blocks); ++b)
    if (planned(plan_, {number, b}).is_fill_only() && writes_block(plan_, b, record(number).is_own.value_or(false)))
      add_ready({number, b});
}

bool RecordLedger::assign(std::int64_t number, bool is_own) {
  Record& of = record(number);
  if (of.is_own.has_value()) return false;
  of.is_own = is_own;
  if (!is_own) {
    of.blocks -= assigned_blocks();
    of.blocks_left -= assigned_blocks();
  } else if (of.placement.file >= 0) {
    add_fill_only(number, pinned_blocks());
  }
  return true;
}

// An assignment that is no longer kept is of a record whose blocks have all come to their writer and been written: if
// it was this one, it knows.
std::vector<std::int64_t> RecordLedger::learn_assignments() {
  std::vector<std::int64_t> learnt;
  if (!plan_.assignment) return learnt;
  const std::int64_t known = plan_.assignment.assigned_records();
  for (assigned_ = std::max(assigned_, written_); assigned_ < known; ++assigned_) {
    if (assignment(assigned_).has_value()) continue;
    if (assign(assigned_, plan_.assignment.writer_of(assigned_) == plan_.assignee)) learnt.push_back(assigned_);
  }
  return learnt;
}

std::vector<std::int64_t> RecordLedger::numbers() const {
  std::vector<std::int64_t> all;
  for (const auto& [number, of] : records_) all.push_back(number);
  return all;
}

bool RecordLedger::may_advance() const {
  const auto next = records_.find(written_);
  return next != records_.end() && next->second.placement.file >= 0 && next->second.blocks_left == 0;
}

bool RecordLedger::is_written_everywhere(std::int64_t number) const {
  if (number >= written_) return false;
  if (plan_.files.other_writers == 0) return true;
  const auto found = others_wrote_.find(number);
  return found != others_wrote_.end() && found->second == plan_.files.other_writers;
}

void RecordLedger::forget(std::int64_t records) {
  records_.erase(records_.begin(), records_.lower_bound(records));
  others_wrote_.erase(others_wrote_.begin(), others_wrote_.lower_bound(records));
}

}  // namespace thalweg::writer
