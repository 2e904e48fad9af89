// Which of several writers of a node writes each record of a collection, where any of them may: who has the first piece
// of a record assigns it to a writer, and all its blocks go to that one. A view on shared memory; every process of the
// node holds one.
//
// Record r may be assigned when all blocks of record r - depth are complete. Clients put records in order, so records
// are assigned in order as well. An assignment is kept for 2 x depth records: by the time it is overwritten, its writer
// has written the record, because the one after next in the same slot is complete.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "staging/futex.hpp"

namespace thalweg::staging {

class RecordAssignment {
 public:
  static constexpr int most_writers = 255;
  static std::int64_t bytes_for(std::int64_t depth) {
    return static_cast<std::int64_t>(sizeof(std::atomic<std::int64_t>)) * 8 +
           2 * depth * static_cast<std::int64_t>(sizeof(Cell));
  }

  RecordAssignment() = default;
  // memory: bytes_for(depth), zeroed and 64-byte aligned. blocks: of a record, that are fed and assigned with it.
  RecordAssignment(std::int64_t depth, std::int64_t blocks, std::byte* memory)
      : depth_(depth),
        blocks_(blocks),
        leading_(reinterpret_cast<std::atomic<std::int64_t>*>(memory)),
        cells_(reinterpret_cast<Cell*>(memory + 64)) {}

  explicit operator bool() const { return cells_ != nullptr; }

  bool may_assign(std::int64_t record) const;
  // Sleeps here who waits until it may be assigned, after counting itself among the waiters.
  Word& opened(std::int64_t record) const { return cell(record - depth_).complete_records; }
  std::atomic<std::uint32_t>& waiters(std::int64_t record) const { return cell(record - depth_).waiters; }

  // For the writer of this number; false: the record was assigned before. may_assign(record) holds.
  bool assign(std::int64_t record, int writer) const;
  // Nothing: it is not assigned, or so long ago that it is written.
  std::optional<int> writer_of(std::int64_t record) const;
  // So many leading records are assigned.
  std::int64_t assigned_records() const { return leading_->load(std::memory_order_acquire); }

  // A block of the record is complete and announced to its writer.
  void complete_block(std::int64_t record) const;

 private:
  struct alignas(64) Cell {
    std::atomic<std::int64_t> assigned{0};  // record and writer, plus one; 0: none yet
    std::atomic<std::uint64_t> complete_blocks{0};
    Word complete_records{0};  // of those that this cell had
    std::atomic<std::uint32_t> waiters{0};
  };
  Cell& cell(std::int64_t record) const { return cells_[record % (2 * depth_)]; }

  std::int64_t depth_ = 1;
  std::int64_t blocks_ = 0;
  std::atomic<std::int64_t>* leading_ = nullptr;
  Cell* cells_ = nullptr;
};

}  // namespace thalweg::staging
