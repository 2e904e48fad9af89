// Which file a name stands for at the moment. Names may be taken over by others while a file grows; the file itself
// stays the same for whoever holds it open.
#pragma once

#include <optional>
#include <string>

#include "block/publication.hpp"
#include "storage/posix.hpp"

namespace thalweg::storage {

// Of an open file or folder. path is for the message. Errors: STORAGE.
block::FileIdentity identity_of(const Descriptor& file, const std::string& path);

// Of what has the name now; nothing if there is nothing. A link is itself, and not what it leads to. Errors: STORAGE.
std::optional<block::FileIdentity> identity_at(const std::string& path);

// Anything has the name. Errors: STORAGE.
inline bool is_there(const std::string& path) {
  return identity_at(path).has_value();
}

// Which file a path leads to, and when it was written last: another one, or one that was written to since, has another
// text. "": there is nothing.
std::string version_at(const std::string& path);
// Of an open file.
std::string version_of(const Descriptor& file);

// Before a name is given away: it still stands for the file that was written. Errors: STORAGE, saying what became of
// it.
void require_same(const block::FileIdentity& written, const std::string& path);

}  // namespace thalweg::storage
