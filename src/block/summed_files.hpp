// Checksums of complete files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "block/record_sums.hpp"
#include "config/format.hpp"

namespace thalweg::block {

// What is summed of a collection's files; the same for all of a series.
struct SummedFiles {
  struct Variable {
    std::string name;
    Type type = Type::float64;
    bool has_record = false;
  };
  config::Format format{};
  std::string record_dimension;
  std::vector<Variable> variables;
  std::vector<std::vector<std::int64_t>> elements;  // of each part, and of each variable's record in it
};

// All that the companion of one file says.
struct Checksums {
  std::shared_ptr<const SummedFiles> of;
  std::size_t part = 0;  // of the set; 0 if there is none
  FileSums sums;
};

}  // namespace thalweg::block
