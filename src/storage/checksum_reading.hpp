// What the companion of a complete file says of its records.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "block/summed_files.hpp"

namespace thalweg::storage {

// The sums of each record, for the variables of `of` in their order (0 for those without records). Nothing: there is no
// companion, it is of another file or another form, or does not know one of the variables with records.
std::optional<std::vector<block::Sums>> read_record_sums(const std::string& path, const block::SummedFiles& of);

}  // namespace thalweg::storage
