#include "health/failures.hpp"

#include "transport/collective.hpp"

namespace thalweg::health {

// Whoever finds a failure tells it, too: the leader may be the one that died, and where others outlive it a client
// hears for the node as well.
bool Failures::speaks_for_node() const {
  if (outlived_ && roles_.nodes[static_cast<std::size_t>(roles_.node)].first_client == roles_.rank) return true;
  return roles_.leads_node() || roles_.self.writes || board_.was_reported_here();
}

void Failures::spread() {
  if (has_spread_ || !board_.has_failed()) return;
  has_spread_ = true;
  try {
    board_.throw_failure();
  } catch (const Error& error) {
    for (const roles::Node& node : roles_.nodes)
      if (node.leader != roles_.rank) messages_.send(node.leader, Failure{error.code(), error.what()});
  }
}

void Failures::spread_now() {
  constexpr double patience_s = 0.1;
  if (!speaks_for_node() || roles_.node_count == 1) return;
  spread();
  transport::see_off(messages_.messenger(), roles_.messages, patience_s);
}

void Failures::hear(const Failure& failure) {
  has_spread_ = true;
  board_.report(failure.code, failure.text);
}

void Failures::throw_if_failed() {
  if (!board_.has_failed()) return;
  spread_now();
  board_.throw_failure();
}

}  // namespace thalweg::health
