// Which file a name stands for at the moment. Names may be taken over by others while a file grows; the file itself
// stays the same for whoever holds it open.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "store/posix.hpp"

namespace thalweg::store {

struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t born_ns = 0;  // since 1970; 0 where the file system does not say

  // The device may have another number after the next start of the machine.
  bool is_same_inode(const FileIdentity& other) const { return inode == other.inode && born_ns == other.born_ns; }
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// Of an open file or folder. path is for the message. Errors: STORAGE.
FileIdentity identity_of(const Descriptor& file, const std::string& path);

// Of what has the name now; nothing if there is nothing. A link is itself, and not what it leads to. Errors: STORAGE.
std::optional<FileIdentity> identity_at(const std::string& path);

// Before a name is given away: it still stands for the file that was written. Errors: STORAGE, saying what became of
// it.
void require_same(const FileIdentity& written, const std::string& path);

}  // namespace thalweg::store
