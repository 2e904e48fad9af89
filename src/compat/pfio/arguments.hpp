// A command line cut into PFIO's options, each with its values and places, and the arguments of the model's own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/diagnostic.hpp"

namespace thalweg::compat::pfio {

struct Value {
  std::string text;
  config::Where where;
};

struct Option {
  config::Where where;
  std::vector<Value> values;
};

// An argument of the model's own that is written almost like an option.
struct NearMiss {
  config::Where where;
  std::string option;
};

struct Arguments {
  std::map<std::string, Option> options;  // "--npes_model" -> …
  std::vector<NearMiss> near_misses;
  std::string program;  // the other arguments, as a shell takes them
};

// The first argument is the name of the program. An option that stands twice is a fault.
Arguments cut_command_line(const std::vector<std::string>& arguments, config::Diagnostics& faults);

}  // namespace thalweg::compat::pfio
