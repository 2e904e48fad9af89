#include "config/notes.hpp"

#include "base/log.hpp"

namespace thalweg::config {

void log_notes(const Settings& settings) {
  for (const std::string& note : settings.notes) log::note("{}", note);
}

}  // namespace thalweg::config
