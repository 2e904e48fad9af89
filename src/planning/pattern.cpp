#include "planning/pattern.hpp"

namespace thalweg::planning {

std::int64_t bytes_of_record(const catalog::Definition& definition) {
  std::int64_t record_bytes = 0;
  std::int64_t fixed_bytes = 0;
  for (const catalog::Variable& variable : definition.variables)
    (variable.has_record ? record_bytes : fixed_bytes) +=
        definition.shape(variable).product() * static_cast<std::int64_t>(size_of(variable.type));
  return record_bytes > 0 ? record_bytes : fixed_bytes;
}

config::Pattern choose_pattern(const config::CollectionSettings& settings, int nodes, int writers,
                               std::int64_t record_bytes, std::int64_t staging_bytes) {
  if (settings.pattern != config::Pattern::automatic) return settings.pattern;
  if (!settings.layout.empty() || writers > nodes) return config::Pattern::shared;
  const bool is_worth_it = record_bytes >= shared_bytes_a_node * nodes || record_bytes > staging_bytes / 2;
  return nodes > 1 && is_worth_it ? config::Pattern::shared : config::Pattern::single;
}

}  // namespace thalweg::planning
