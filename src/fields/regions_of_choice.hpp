// The regions of what a collection has chosen: its own, and those of some of its fields. Pure.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "fields/files_of_choice.hpp"

namespace thalweg::fields {

// Of a field, by the names of its dimensions.
using SizesOf = std::function<std::map<std::string, std::int64_t>(const Field&)>;

// Finds them for each of the files. Returns dimensions of the collection's region that none of its fields has. Errors:
// CONFIG.
std::vector<std::string> find_regions(const config::CollectionSettings& collection, FilesOfChoice& files,
                                      const std::vector<Field>& fields, const SizesOf& sizes_of,
                                      const Region::AxisOf& axis_of);

}  // namespace thalweg::fields
