#include "session/file_coordinators.hpp"

#include <algorithm>

namespace thalweg::session {

void FileCoordinators::go_on() {
  if (!of_.roles.self.writes) return;
  for (const Collection* collection : of_.ready)
    at(*collection, [](files::FileCoordinator& files) { files.place_overdue(); });
  hear_results();
}

void FileCoordinators::hear_results() {
  const std::vector<block::Result> results = of_.book.take_results();
  for (const block::Result& result : results) pass_on(result);
  if (!results.empty()) of_.wake_ups.ring();  // commands may have come of them
}

double FileCoordinators::sleep_s(double longest_s) const {
  for (const auto& files : coordinators_)
    if (files && files->has_waiting()) longest_s = std::min(longest_s, files->interval_s());
  return longest_s;
}

}  // namespace thalweg::session
