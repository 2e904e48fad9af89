#include "client/file_desks.hpp"

#include <algorithm>

namespace thalweg::client {

void FileDesks::go_on() {
  if (!of_.roles.self.writes) return;
  for (const Collection* collection : of_.ready) at(*collection, [](FileDesk& desk) { desk.place_overdue(); });
  hear_events();
}

void FileDesks::hear_events() {
  const std::vector<store::Event> events = of_.book.take_events();
  for (const store::Event& event : events)
    std::visit(
        [this](const auto& one) {
          at(*of_.ready[static_cast<std::size_t>(one.collection)], [&](FileDesk& desk) { desk.hear(one); });
        },
        event);
  if (!events.empty()) of_.control.ring();  // commands may have come of them
}

void FileDesks::hear(const FileMessage& message) {
  std::visit(
      [this](const auto& one) {
        at(*of_.ready[static_cast<std::size_t>(one.collection)], [&](FileDesk& desk) { desk.hear(one); });
      },
      message);
}

double FileDesks::sleep_s(double longest_s) const {
  for (const auto& desk : desks_)
    if (desk && desk->has_waiting()) longest_s = std::min(longest_s, desk->interval_s());
  return longest_s;
}

}  // namespace thalweg::client
