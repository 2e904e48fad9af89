// The model's own procedure, which takes the place of files (format: user).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "store/format_file.hpp"
#include "thalweg.h"

namespace thalweg::store {

// What is called, and what it is told of the variables.
struct Procedure {
  thalweg_write_procedure call = nullptr;
  void* user = nullptr;  // the model's
  std::vector<std::string> names{};
  std::vector<Index> shapes{};
};

// Stands where a format makes a file: here nobody but the procedure does.
std::unique_ptr<FormatFile> create_nothing();

}  // namespace thalweg::store
