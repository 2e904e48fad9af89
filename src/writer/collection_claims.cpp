// CollectionWriter: which blocks of a record are its own, where any writer of the node may write the record.
#include <algorithm>

#include "writer/collection_writer.hpp"

namespace thalweg::writer {

// A claim that is no longer kept is of a record whose blocks have all come to their writer and been written: if it was
// this one, it knows.
void CollectionWriter::learn_claims() {
  if (!plan_.claims) return;
  const std::int64_t claimed = plan_.claims.claimed_records();
  for (decided_ = std::max(decided_, written_); decided_ < claimed; ++decided_) {
    if (record(decided_).is_claimed.has_value()) continue;
    decide(decided_, plan_.claims.writer_of(decided_) == plan_.claimant);
  }
}

void CollectionWriter::decide(std::int64_t number, bool is_claimed) {
  Record& of = record(number);
  if (of.is_claimed.has_value()) return;
  of.is_claimed = is_claimed;
  if (!is_claimed) {
    of.blocks -= claimed_blocks();
    of.blocks_left -= claimed_blocks();
  } else if (of.file >= 0) {
    add_fill_only(number, plan_.kept_blocks, std::ssize(plan_.record_blocks));
  }
  tell_sizes(number);
}

// Fill-only blocks are never announced.
void CollectionWriter::add_fill_only(std::int64_t number, std::int64_t first, std::int64_t end) {
  for (std::int64_t b = first; b < end; ++b)
    if (plan_.record_blocks[static_cast<std::size_t>(b)].expected == 0 &&
        writes_block(plan_, b, record(number).is_claimed.value_or(false)))
      add_ready({number, b});
}

}  // namespace thalweg::writer
