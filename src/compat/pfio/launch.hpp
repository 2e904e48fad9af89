// How a model with servers was launched, in the words of NASA's PFIO.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thalweg::compat::pfio {

// Servers that are independent of each other.
struct Servers {
  enum class Unit { ranks, nodes };
  std::vector<std::int64_t> sizes;  // of each server; empty: there are none
  Unit unit = Unit::nodes;          // what sizes count
  friend bool operator==(const Servers&, const Servers&) = default;
};

struct Launch {
  std::string program = "model";       // the command line without the options that are kept here
  std::int64_t npes_model = 0;         // ranks of the model; 0: all that are no servers
  Servers output;                      // --one_node_output is resolved: as many servers of one node
  Servers input;                       // places that are kept free
  bool isolate = true;                 // model and servers share no node
  std::int64_t backends_per_node = 0;  // the other ranks of a server's node are frontends; 0: all are both
  std::optional<bool> fast_client;     // nothing: not said
  bool profiler = false;
  std::int64_t members = 1;        // of an ensemble; all else holds for each of them
  std::string near_misses{};       // of the program's own options, in words; empty: none is like PFIO's
  std::vector<std::string> notes;  // one line each: options that have another meaning here than in PFIO, or none
};

}  // namespace thalweg::compat::pfio
