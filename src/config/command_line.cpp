// With `command-line` the program's own command line prevails over file and environment. It is read from the system, so
// that a model of any language has nothing to hand over.
#include <fstream>

#include "base/error.hpp"
#include "config/draft.hpp"

namespace thalweg::config {
namespace {

std::vector<std::string> arguments_of_process(Dialect dialect) {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  if (arguments.empty())
    fail(THALWEG_ERROR_CONFIG,
         "command-line: {}: /proc/self/cmdline cannot be read; set command-line: none, and writers by hand",
         dialect->name);
  return arguments;
}

}  // namespace

void read_command_line(Draft& draft) {
  const Dialect dialect = draft.settings.command_line;
  if (dialect) dialect->take_options(draft, draft.arguments.empty() ? arguments_of_process(dialect) : draft.arguments);
}

}  // namespace thalweg::config
