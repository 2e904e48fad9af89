// PFIO's arithmetic of ranks and nodes: how many ranks a launch needs, and whether a job has them. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compat/pfio/launch.hpp"

namespace thalweg::compat::pfio {

struct ServerPlaces {
  std::int64_t nodes = 0;      // that it has for itself; 0: it shares the model's
  std::int64_t frontends = 0;  // ranks that receive
  std::int64_t backends = 0;   // ranks that write; those that do both count twice
  friend bool operator==(const ServerPlaces&, const ServerPlaces&) = default;
};

// Of one member, if there are several.
struct Places {
  std::int64_t model_nodes = 0;       // that hold the model's ranks; with isolation no others
  std::vector<ServerPlaces> servers;  // each output server
  std::int64_t npes = 0;              // ranks that the job must have; more of them idle
};

// As long as the number of the model's ranks is not said, one node (or, where nodes are shared, one rank) is for it.
Places places_of(const Launch& launch, std::int64_t cores_per_node);

// "mpiexec -np 16 ./ocean --npes_model 6 --nodes_output_server 2"
std::string launch_line(const Launch& launch, std::int64_t cores_per_node);

// Empty if the launch fits the npes ranks of the session; else what does not fit, the numbers, and a line that works.
std::string launch_problem(const Launch& launch, std::int64_t npes, std::int64_t cores_per_node);

// PFIO's advice where to begin, for a model of npes_model ranks that writes so many collections.
Launch advised_launch(std::int64_t npes_model, std::int64_t collections, std::int64_t cores_per_node);

}  // namespace thalweg::compat::pfio
