// PFIO's command-line options: what they say about the launch, and which settings follow from that.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compat/pfio/launch.hpp"
#include "config/diagnostic.hpp"
#include "config/settings.hpp"

namespace thalweg::compat::pfio {

struct Options {
  Launch launch;
  std::map<std::string, config::Where> where;  // of each option that stands on the command line, "--npes_model" -> …
};

// The first argument is the name of the program. Arguments that PFIO does not know are the model's own.
Options read_options(const std::vector<std::string>& arguments, config::Diagnostics& faults);

// The options that say the same, for launch lines.
std::string options_text(const Launch& launch);

// The nodes of output servers that share none with the model. A server that is counted in ranks takes as many whole
// nodes as hold them, and all ranks of these.
config::ServerNodes server_nodes(const Launch& launch, std::int64_t cores_per_node);

}  // namespace thalweg::compat::pfio
