// The inputs of a session.
#pragma once

#include <list>
#include <map>
#include <string>
#include <vector>

#include "read/input.hpp"
#include "read/restart_set.hpp"
#include "roles/roles.hpp"

namespace thalweg::read {

class Inputs {
 public:
  // Collective over the clients. All outlives this.
  Inputs(const roles::Roles& roles, const config::Settings& settings,
         const std::vector<geometry::Decomposition>& decompositions);
  ~Inputs();
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  // Collective. name: under which it is counted. translates, errors: as of Input.
  Input& open(const std::string& path, const std::string& name, bool translates = false);
  void close(const Input& input);
  // Errors: DEADLINE, if something was closed that a storage that stands still holds up.
  void throw_if_left() { ahead_.throw_if_left(); }

  // Of all that was open, by its names.
  std::vector<profile::InputCounters> counters() const;

  const Surroundings& around() const { return around_; }
  RestartSets& restart_sets() { return restart_sets_; }

 private:
  Inputs(const roles::Roles& roles, const config::Settings& settings,
         const std::vector<geometry::Decomposition>& decompositions, const std::vector<int>& processors);

  ReadAhead ahead_;
  StorageCalls storage_;
  std::map<std::string, std::shared_ptr<const ReadPlan>> plans_;
  Surroundings around_;
  std::map<std::string, profile::InputCounters> counters_;
  std::list<Input> open_;
  RestartSets restart_sets_;
};

}  // namespace thalweg::read
