#include "session/collection.hpp"

#include <algorithm>

namespace thalweg::session {

// Of a record that is not due nobody has the turn.
Collection& Shares::upcoming_share() const {
  const auto turn = std::ranges::find_if(shares, [](const Collection* of) { return of->schedule.upcoming().due; });
  return turn == shares.end() ? *shares.front() : **turn;
}

Collection& Shares::ending_share() const {
  return **std::ranges::find_if(shares, [](const Collection* of) { return of->schedule.ending().due; });
}

Collection& Shares::open_share() const {
  const auto open =
      std::ranges::find_if(shares, [](const Collection* of) { return of->schedule.open_file().has_value(); });
  return open == shares.end() ? *shares.front() : **open;
}

bool Shares::has_open_file() const {
  return std::ranges::any_of(shares, [](const Collection* of) { return of->schedule.open_file().has_value(); });
}

std::int64_t Shares::closed_records() const {
  std::int64_t records = 0;
  for (const Collection* share : shares) records += share->schedule.closed_records();
  return records;
}

void Collection::keep_index(const files::Upcoming& closed) {
  if (inboxes.all.empty()) return;
  closed_indices[closed.record] = closed.index_in_file;
  const std::int64_t oldest = inboxes.oldest_expected(closed.record);
  closed_indices.erase(closed_indices.begin(), closed_indices.lower_bound(oldest));
}

std::optional<std::int64_t> Collection::index_in_file(std::int64_t moment) const {
  if (const auto closed = closed_indices.find(moment); closed != closed_indices.end()) return closed->second;
  const files::Upcoming& upcoming = schedule.upcoming();
  if (upcoming.due && upcoming.record == moment) return upcoming.index_in_file;
  return std::nullopt;
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

}  // namespace thalweg::session
