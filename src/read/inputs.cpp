#include "read/inputs.hpp"

#include "base/error.hpp"
#include "base/processors.hpp"
#include "roles/meeting.hpp"
#include "transport/collective.hpp"

namespace thalweg::read {
namespace {

// Servers are in no get, and it is not known here on which processors other clients run.
std::vector<int> processors_of_clients(const roles::Roles& roles) {
  return roles.has_servers() ? own_processors() : transport::processors_of_node(roles);
}

}  // namespace

// The model's own communicator is for the model's messages.
Inputs::Inputs(const roles::Roles& roles, const config::Settings& settings,
               const std::vector<geometry::Decomposition>& decompositions)
    : Inputs(roles, settings, decompositions, processors_of_clients(roles)) {}

Inputs::Inputs(const roles::Roles& roles, const config::Settings& settings,
               const std::vector<geometry::Decomposition>& decompositions, const std::vector<int>& processors)
    : ahead_(settings.deadline_s),
      storage_(settings.deadline_s, processors),
      around_{settings,
              decompositions,
              roles.world.of(roles::duplicate(roles.world.of(roles.model))),
              {},
              std::ssize(processors),
              ahead_,
              storage_,
              plans_} {
  around_.node_of = roles::gather_to_all(around_.circle, roles.node);
}

Inputs::~Inputs() {
  around_.circle.free();
}

Input& Inputs::open(const std::string& path, const std::string& name, bool translates) {
  profile::InputCounters& counters = counters_[name];
  counters.name = name;
  return open_.emplace_back(around_, path, counters, translates);
}

std::vector<profile::InputCounters> Inputs::counters() const {
  std::vector<profile::InputCounters> all;
  for (const auto& [name, counters] : counters_)
    if (counters.gets > 0) all.push_back(counters);
  return all;
}

void Inputs::close(const Input& input) {
  open_.remove_if([&](const Input& open) { return &open == &input; });
}

}  // namespace thalweg::read
