// The registry of other I/O libraries whose options and tables Thalweg understands: each is a row, defined in its own
// folder. Nobody else asks which library it is.
#pragma once

#include <string>
#include <vector>

#include "config/dialect.hpp"
#include "profile/report.hpp"

namespace thalweg::compat {

struct Row {
  config::DialectDescription description;
  // The table at the end of a run, from the reports of all ranks.
  std::string (*table)(const std::vector<profile::Report>& reports) = nullptr;
};

const Row& row_of(config::Dialect dialect);

}  // namespace thalweg::compat
