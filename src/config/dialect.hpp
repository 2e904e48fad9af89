// What users of another I/O library need not learn anew, as far as the configuration asks for it: options of the
// program's command line, and the table at the end. Each library describes itself in its own row (compat/registry.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/row.hpp"

namespace thalweg::config {

struct Draft;
struct Settings;

struct DialectDescription {
  std::string_view name;  // in the configuration, as a value of `command-line` and of `report`
  // What the reference says of its options, and of its table.
  std::string_view note_on_options{};
  std::string_view note_on_report{};
  // Settings follow from the arguments of a program, whose name is the first; faults are added to the draft's.
  void (*take_options)(Draft& draft, const std::vector<std::string>& arguments) = nullptr;
};

// A library, or none.
using Dialect = Row<DialectDescription>;

// All there are, in the order of the reference. What it gives is the registry's (compat/registry.cpp), so that a new
// one is no change here.
const std::vector<Dialect>& dialects();

// The ranks of a session.
struct LaunchedRanks {
  std::int64_t count = 0;
  std::int64_t of_largest_node = 0;
  bool are_whole_job = false;  // nobody has split the job's ranks among sessions
};

// What options say of a launch and no settings hold yet: it depends on the ranks of the job.
struct Launch {
  // Completes the settings, once it is known which ranks the session has. Errors: CONFIG for a launch that does not
  // fit, with a line that does.
  std::function<void(Settings& settings, const LaunchedRanks& ranks)> apply;
};

}  // namespace thalweg::config
