// Opens the files of a set and checks that they are one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "formats/readable_file.hpp"
#include "sets/file_set.hpp"
#include "storage/file_identity.hpp"

namespace thalweg::sets {

// The open parts of a set that belong together.
struct FileSet {
  catalog::Definition whole;
  SetIdentity identity;
  std::int64_t records = 0;       // that all parts have
  std::int64_t most_records = 0;  // of any part
  std::vector<SetPart> parts;
  std::vector<std::unique_ptr<formats::ReadableFile>> files;  // of each part
  std::vector<block::FileIdentity> identities;                // of each part, before it was opened
  std::function<void(const std::string& file)> reading;       // told before a part is read
};

// Opens all parts of the set NAME.nc, that is NAME.nc.0000, …: as many as they say there are, alike, of disjoint
// sections. Errors: STORAGE, FORMAT, naming the file.
FileSet open_file_set(
    const std::string& set, std::function<void(const std::string& file)> reading = [](const std::string&) {});

}  // namespace thalweg::sets
