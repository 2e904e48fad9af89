// Names of the parts of a set of files.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace thalweg::storage {

// "NAME.nc.0012": at least four digits.
std::string part_name(const std::string& set, std::int64_t number);

struct PartName {
  std::string set;
  std::int64_t number = 0;
};
std::optional<PartName> parse_part_name(const std::string& name);  // nothing: not a part's name

// Numbers that names in the folder of a set have, of parts or of what looks like one, complete or not.
std::set<std::int64_t> numbers_beside(const std::string& set);
// Names of its parts, without the ending, of which files with the ending are there.
std::vector<std::string> parts_beside(const std::string& set, const char* ending = "");
// A file or a store of this name, or parts of a set, complete or growing.
bool is_any_there(const std::string& path);

}  // namespace thalweg::storage
