#include "client/collection.hpp"

#include <algorithm>

namespace thalweg::client {

std::int64_t Collection::written_records() const {
  std::int64_t least = staging::BlockRing::all_moments;
  for (const Share& share : shares)
    if (!share.plan->record_blocks.empty())
      least = std::min(least, share.plan->rings.moments().progress().moments.load(std::memory_order_acquire));
  return least;
}

void Collection::keep_index(const files::Upcoming& closed) {
  if (inboxes.empty()) return;
  index_in_file[closed.record] = closed.index_in_file;
  std::int64_t oldest = closed.record;
  for (const Inbox& inbox : inboxes)
    if (variable(inbox.variable).has_record) oldest = std::min(oldest, inbox.channel.next_record());
  index_in_file.erase(index_in_file.begin(), index_in_file.lower_bound(oldest));
}

// FMS's attribute is for one time level: current releases compare the sum of one, and older ones had lists.
void Collection::require_record(const files::Upcoming& record) const {
  if (record.index_in_file > 0 && declaration.settings().checksum_attributes)
    fail(THALWEG_ERROR_CONFIG,
         "collection '{}': this would be record {} of a file, but with checksum-attributes each file has one; give "
         "every "
         "record a file of its own (new-file, or a date in 'file'), or leave checksum-attributes out",
         name, record.index_in_file + 1);
}

}  // namespace thalweg::client
