#include "client/file_desks.hpp"

#include <algorithm>
#include <utility>

namespace thalweg::client {

void FileDesks::go_on() {
  if (!of_.roles.self.writes) return;
  for (const Collection* collection : of_.ready) at(*collection, [](FileDesk& desk) { desk.place_overdue(); });
  hear_events();
}

void FileDesks::hear_events() {
  const std::vector<block::Result> events = of_.book.take_results();
  for (const block::Result& event : events)
    std::visit(
        [this](const auto& one) {
          at(*of_.ready[static_cast<std::size_t>(one.collection)], [&](FileDesk& desk) { desk.hear(one); });
        },
        event);
  if (!events.empty()) of_.control.ring();  // commands may have come of them
}

bool FileDesks::hear_kept() {
  if (kept_.empty()) return false;
  while (!kept_.empty()) {
    const transport::Notice notice = std::move(kept_.front());
    kept_.pop_front();
    hear(notice);
  }
  return true;
}

void FileDesks::hear(const transport::Notice& notice) {
  at(*of_.ready[static_cast<std::size_t>(notice.collection)], [&](FileDesk& desk) { desk.hear(notice); });
}

double FileDesks::sleep_s(double longest_s) const {
  for (const auto& desk : desks_)
    if (desk && desk->has_waiting()) longest_s = std::min(longest_s, desk->interval_s());
  return longest_s;
}

}  // namespace thalweg::client
