// A name that nobody may have, for what is not output of a run: it replaces nothing.
#pragma once

#include <string>

namespace thalweg::storage {

// Renames a file. Errors: STORAGE if something has the name already, by then. Where a file system can neither rename so
// nor give a file a second name, what takes the name between look and renaming is replaced.
void rename_to_free(const std::string& path, const std::string& target);

}  // namespace thalweg::storage
