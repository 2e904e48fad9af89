#include "staging/record_assignment.hpp"

namespace thalweg::staging {
namespace {

constexpr std::int64_t coded(std::int64_t record, int writer) {
  return record * (RecordAssignment::most_writers + 1) + writer + 1;
}
constexpr std::int64_t record_in(std::int64_t assigned) {
  return assigned == 0 ? -1 : (assigned - 1) / (RecordAssignment::most_writers + 1);
}
constexpr int writer_in(std::int64_t assigned) {
  return static_cast<int>((assigned - 1) % (RecordAssignment::most_writers + 1));
}

}  // namespace

bool RecordAssignment::may_assign(std::int64_t record) const {
  const std::int64_t before = record - depth_;
  if (before < 0) return true;
  const auto wanted = static_cast<std::uint32_t>(before / (2 * depth_) + 1);
  return static_cast<std::int32_t>(opened(record).load(std::memory_order_acquire) - wanted) >= 0;
}

bool RecordAssignment::assign(std::int64_t record, int writer) const {
  std::atomic<std::int64_t>& assigned = cell(record).assigned;
  std::int64_t known = assigned.load(std::memory_order_acquire);
  // Whoever is faster has assigned the same record: no later one can be before this one is complete.
  if (record_in(known) == record ||
      !assigned.compare_exchange_strong(known, coded(record, writer), std::memory_order_acq_rel))
    return false;
  std::int64_t leading = assigned_records();
  while (leading <= record && !leading_->compare_exchange_weak(leading, record + 1, std::memory_order_acq_rel)) {
  }
  return true;
}

std::optional<int> RecordAssignment::writer_of(std::int64_t record) const {
  const std::int64_t known = cell(record).assigned.load(std::memory_order_acquire);
  if (record_in(known) != record) return std::nullopt;
  return writer_in(known);
}

// The waiter counts itself before it looks for the last time, as in BlockRing::release.
void RecordAssignment::complete_block(std::int64_t record) const {
  Cell& of = cell(record);
  if ((of.complete_blocks.fetch_add(1, std::memory_order_acq_rel) + 1) % static_cast<std::uint64_t>(blocks_) != 0)
    return;
  of.complete_records.fetch_add(1, std::memory_order_seq_cst);
  if (of.waiters.load(std::memory_order_seq_cst) != 0) futex_wake_all(of.complete_records);
}

}  // namespace thalweg::staging
