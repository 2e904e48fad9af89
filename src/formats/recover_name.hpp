// What a killed run left gets its name.
#pragma once

#include <cstdint>
#include <string>

#include "storage/posix.hpp"

namespace thalweg::formats {

// A growing file that is recovered (formats/format_file.hpp, recover), under the name that it has. The caller has the
// lock of the name that it is to get.
class RecoveredFile {
 public:
  // had_owner: as recover has it. Errors: STORAGE, also for a file of several names; FORMAT.
  RecoveredFile(std::string path, bool had_owner);
  std::int64_t records() const { return records_; }
  // Gives it its name, on stable storage; what is complete under that name goes. Errors: STORAGE.
  void publish(const std::string& path) const;

 private:
  std::string path_;
  // Open all the while, and asked at the end which file it is: an overlay copies what a lower layer has when it is
  // first changed, and who has it open goes along.
  storage::Descriptor file_;
  std::int64_t records_ = 0;
};

// Recovers the growing file and gives it its name; the number of its records. Refused where somebody writes the file,
// on this machine or another (storage/name_lock.hpp), and where the name is taken. Killed at any moment, it can be
// called again. Errors: STORAGE, FORMAT.
std::int64_t recover_name(const std::string& partial_path, const std::string& path);

}  // namespace thalweg::formats
