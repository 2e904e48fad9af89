// What the companion of a complete file says of its values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "block/summed_files.hpp"

namespace thalweg::storage {

// Of a variable: how many elements each sum is of, and the sum of each record; without records, of all of it.
struct SaidSums {
  std::int64_t elements = 0;
  bool has_records = false;
  std::vector<std::uint64_t> sums;
};

// By the names of variables. Nothing: there is no companion, or it is of another file or another form, which is told.
std::optional<std::map<std::string, SaidSums>> read_sums(const std::string& path);

// Why the companion, which is there, cannot be understood; empty: it can be, or is none.
std::string fault_of_sums(const std::string& path);

// The sums of each record, for the variables of `of` in their order (0 for those without records). Nothing: as above,
// or it does not know one of the variables with records.
std::optional<std::vector<block::Sums>> read_record_sums(const std::string& path, const block::SummedFiles& of);

}  // namespace thalweg::storage
