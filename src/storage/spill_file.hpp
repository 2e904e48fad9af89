// A file of the node that keeps complete blocks while the storage is slow. It has no name, so it is gone with the
// process, whatever ends that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "config/settings.hpp"
#include "storage/posix.hpp"

namespace thalweg::storage {

class SpillFile {
 public:
  explicit SpillFile(const config::SpillSettings& settings);

  // Where the parts are now, one behind the other; nothing if they cannot be kept. Why not is said in a warning, once.
  std::optional<std::int64_t> keep(std::span<iovec> parts);
  // Errors: STORAGE.
  void read(std::int64_t place, std::span<std::byte> bytes) const;
  // What was kept there is no longer needed.
  void forget(std::int64_t place, std::int64_t bytes);

  std::int64_t kept_bytes() const { return kept_bytes_; }
  const std::string& folder() const { return folder_; }

 private:
  bool open();
  void give_up(const std::string& why);

  std::string folder_;
  std::int64_t limit_;
  Descriptor file_;
  std::int64_t end_ = 0;
  std::int64_t kept_bytes_ = 0;  // in the file: what was forgotten counts on where the file system cannot give it back
  std::int64_t needed_bytes_ = 0;
  bool is_usable_ = true;
  bool is_full_ = false;  // until something is forgotten
  bool has_warned_ = false;
};

}  // namespace thalweg::storage
