// The names that a run has written to so far. All ranks keep the same list, because names follow from the schedules.
#pragma once

#include <map>
#include <string>

#include "config/settings.hpp"

namespace thalweg::files {

class NamesInUse {
 public:
  // The configuration, the profile and the time line have theirs from the start.
  explicit NamesInUse(const config::Settings& settings);

  // Notes the next file of a collection. Errors: STORAGE, saying whose name it is already.
  void claim(const std::string& collection, const std::string& path);
  // Errors: STORAGE if the path is somebody's.
  void require_free(const std::string& collection, const std::string& path) const;
  // Its files are finished, and have names that come again.
  void release(const std::string& collection);

 private:
  std::map<std::string, std::string> owners_;  // of each path: "the file of 'profile'", "a file of collection 'daily'"
};

}  // namespace thalweg::files
