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

// What options say of a launch and no settings hold yet: it depends on the ranks of the job.
struct Launch {
  // Completes the settings, once it is known how many ranks the session has and its largest node. Errors: CONFIG for a
  // launch that does not fit, with a line that does.
  std::function<void(Settings& settings, std::int64_t ranks, std::int64_t ranks_of_node)> apply;
};

}  // namespace thalweg::config
