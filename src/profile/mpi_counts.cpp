#include "profile/mpi_counts.hpp"

#include <nlohmann/json.hpp>

namespace thalweg::profile {

MpiCountsByPhase mpi_counts() {
  MpiCountsByPhase counts;
  for (std::size_t phase = 0; phase < mpi_phases; ++phase) {
    const auto count = [&](MpiCall call) {
      return mpi_calls_of_process[phase][static_cast<std::size_t>(call)].load(std::memory_order_relaxed);
    };
    counts.of[phase] = {count(MpiCall::message), count(MpiCall::collective), count(MpiCall::barrier)};
  }
  return counts;
}

MpiCountsByPhase since(const MpiCountsByPhase& before) {
  MpiCountsByPhase counts = mpi_counts();
  for (std::size_t phase = 0; phase < mpi_phases; ++phase) {
    counts.of[phase].messages -= before.of[phase].messages;
    counts.of[phase].collectives -= before.of[phase].collectives;
    counts.of[phase].barriers -= before.of[phase].barriers;
  }
  return counts;
}

const char* name_of(MpiPhase phase) {
  switch (phase) {
    case MpiPhase::definitions: return "definitions";
    case MpiPhase::put: return "put";
    case MpiPhase::advance: return "advance";
    case MpiPhase::finish: return "finish";
    case MpiPhase::reading: return "reading";
    case MpiPhase::server: break;
  }
  return "server";
}

void to_json(nlohmann::json& json, const MpiCountsByPhase& counts) {
  for (std::size_t phase = 0; phase < mpi_phases; ++phase) {
    const MpiCounts& of = counts.of[phase];
    json[name_of(static_cast<MpiPhase>(phase))] = {
        {"messages", of.messages}, {"collectives", of.collectives}, {"barriers", of.barriers}};
  }
}

void from_json(const nlohmann::json& json, MpiCountsByPhase& counts) {
  for (std::size_t phase = 0; phase < mpi_phases; ++phase) {
    const nlohmann::json& of = json.at(name_of(static_cast<MpiPhase>(phase)));
    of.at("messages").get_to(counts.of[phase].messages);
    of.at("collectives").get_to(counts.of[phase].collectives);
    of.at("barriers").get_to(counts.of[phase].barriers);
  }
}

}  // namespace thalweg::profile
