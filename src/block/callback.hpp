// The model's own procedure, which takes the place of files (format: user).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "base/joined_dimensions.hpp"
#include "thalweg_values.h"

namespace thalweg::block {

// What is called, and what it is told of the variables.
struct Callback {
  thalweg_write_procedure call = nullptr;
  void* user = nullptr;  // the model's
  std::vector<std::string> names{};
  std::vector<Index> shapes{};
  std::vector<JoinedDimensions> joined{};
  std::int64_t earlier_records = 0;  // of the collection, which another one had in whose place this one goes on
};

}  // namespace thalweg::block
