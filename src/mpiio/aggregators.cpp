#include "mpiio/aggregators.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace thalweg::mpiio {
namespace {

// The number of a hint; `otherwise` where it is not set or no number above 0.
std::int64_t number(const config::Hints& hints, const std::string& name, std::int64_t otherwise) {
  const auto found = hints.find(name);
  if (found == hints.end()) return otherwise;
  std::int64_t value = 0;
  const std::string& text = found->second;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc{} && value > 0 ? value : otherwise;
}

}  // namespace

config::Hints with_aggregators(config::Hints asked, const Aggregation& aggregation) {
  if (aggregation.per_node == 0) return asked;
  asked.try_emplace("cb_config_list", "*:" + std::to_string(aggregation.per_node));
  asked.try_emplace("cb_nodes",
                    std::to_string(std::min(aggregation.per_node * aggregation.nodes, aggregation.io_ranks)));
  return asked;
}

std::int64_t real_aggregators(std::int64_t aggregators, std::int64_t stripe_count, std::int64_t co_ratio) {
  if (stripe_count <= 0) return aggregators;
  if (aggregators >= stripe_count) return stripe_count * std::min(aggregators / stripe_count, co_ratio);
  while (stripe_count % aggregators != 0) --aggregators;
  return aggregators;
}

// Where nobody asks, MPI-IO takes one rank of each node.
std::int64_t real_aggregators(const config::Hints& hints, const Aggregation& aggregation, std::int64_t stripe_count) {
  const std::int64_t wanted = std::min(number(hints, "cb_nodes", aggregation.nodes), aggregation.io_ranks);
  return real_aggregators(wanted, stripe_count, number(hints, "romio_lustre_co_ratio", 1));
}

}  // namespace thalweg::mpiio
