// Files without a name, which are gone with the processes that have them open, whatever ends those.
#pragma once

#include <string>

namespace thalweg {

// The descriptor, for reading and writing; -1: errno says why not. Where the file system knows no nameless files, it
// has this name for a moment, with letters behind it.
int open_nameless_file(const std::string& folder, const std::string& name);

}  // namespace thalweg
