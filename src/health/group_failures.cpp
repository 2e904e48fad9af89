#include "health/group_failures.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/log.hpp"
#include "base/names.hpp"

namespace thalweg::health {

bool GroupFailures::are_survived(const config::Settings& settings, const roles::Roles& roles) {
  return settings.on_server_loss == config::OnServerLoss::go_on && roles.groups.count() > 1;
}

GroupFailures::GroupFailures(const config::Settings& settings, const roles::Roles& roles, staging::FailureBoard& board,
                             Messages& messages, std::vector<transport::Messenger*> to_servers)
    : roles_(roles), board_(board), messages_(messages), to_servers_(std::move(to_servers)) {
  if (settings.on_server_loss == config::OnServerLoss::stop) return;
  if (!are_survived(settings, roles)) {
    if (roles.speaks_for_clients())
      log::note("on-server-loss: continue has no effect, because there is one group of servers only, or none");
    return;
  }
  losses_.resize(static_cast<std::size_t>(roles.groups.count()));
  clients_ = std::make_unique<transport::Group>(roles.world, roles.is_client());
}

bool GroupFailures::give_up(int collection, const Error& error) {
  if (!are_survived() || roles_.is_client()) return false;
  board_.report_group(roles_.groups.group_of(collection), error.code(), error.what());
  return true;
}

void GroupFailures::learn(bool speaks_for_node) {
  for (int group = 0; group < groups(); ++group) {
    Loss& loss = losses_[static_cast<std::size_t>(group)];
    if (!board_.has_group_failed(group)) continue;
    if (!std::exchange(loss.is_known, true)) note(group);
    if (!speaks_for_node && !board_.was_group_reported_here(group)) continue;
    if (!std::exchange(loss.is_spread, true)) spread(group);
  }
}

void GroupFailures::note(int group) const {
  for (const roles::GroupMember& server : roles_.groups.servers())
    if (server.group == group)
      for (transport::Messenger* sent : to_servers_) sent->forget(server.rank);
  if (roles_.speaks_for_clients()) log::warning("{}", text(group));
}

// To the leaders of the other nodes and, because these may be servers of the group, to a client of each.
void GroupFailures::spread(int group) const {
  const Error loss = board_.group_failure(group);
  health::GroupLoss message{group, loss.code(), loss.what(), {}};
  for (const Standing* of : standings_) message.committed_records.push_back(of->known_records());
  for (const roles::Node& node : roles_.nodes) {
    if (&node == &roles_.nodes[static_cast<std::size_t>(roles_.node)]) continue;
    messages_.send(node.leader, message);
    if (node.first_client >= 0 && node.first_client != node.leader) messages_.send(node.first_client, message);
  }
}

void GroupFailures::hear(const health::GroupLoss& loss) {
  if (!are_survived()) return;
  losses_[static_cast<std::size_t>(loss.group)].is_spread = true;
  for (std::size_t c = 0; c < std::min(standings_.size(), loss.committed_records.size()); ++c)
    standings_[c]->committed_records = std::max(standings_[c]->committed_records, loss.committed_records[c]);
  board_.report_group(loss.group, loss.code, loss.text);
}

std::int64_t Standing::known_records() const {
  const block::CollectionPlan& own = *blocks.own;
  return std::max(committed_records, own.files.owned ? own.rings.moments().progress().moments() : 0);
}

// is_turn: other groups have files of the collection as well.
std::string GroupFailures::given_up_text(const Standing& of, bool is_turn) {
  const std::string file = of.file();
  return fmt::format("  given up: {}'{}'{}, of which {} known to be committed\n",
                     is_turn ? "files whose turn the group had, of collection " : "collection ", of.identity.name,
                     file.empty() ? "" : fmt::format(" (last file '{}')", file),
                     counted(of.known_records(), "record") + (of.known_records() == 1 ? " is" : " are"));
}

std::string GroupFailures::text(int group) const {
  std::vector<int> ranks;
  for (const roles::GroupMember& server : roles_.groups.servers())
    if (server.group == group) ranks.push_back(server.rank);
  std::string text = fmt::format("the servers of group {} (rank {}) are lost: {}\n", group, fmt::join(ranks, ", "),
                                 board_.group_failure(group).what());
  bool is_any_turn = false, is_any_left = false;
  for (const Standing* of : standings_) {
    is_any_left |= !is_given_up(of->identity.number);
    if (roles_.groups.group_of(of->identity.number) != group) continue;
    const bool is_turn = std::ranges::any_of(
        standings_, [&](const Standing* other) { return other != of && other->identity.name == of->identity.name; });
    is_any_turn |= is_turn;
    text += given_up_text(*of, is_turn);
  }
  if (!is_any_left) return text + "No other collection is left.";
  return text + (is_any_turn ? "All other files go on." : "All other collections go on.");
}

std::optional<Error> GroupFailures::agreed() const {
  std::optional<Error> first;
  std::string all;
  for (int group = 0; group < groups(); ++group) {
    if (!losses_[static_cast<std::size_t>(group)].is_agreed) continue;
    if (!first) first = board_.group_failure(group);
    if (!all.empty()) all += '\n';
    all += text(group);
  }
  return first ? std::optional(Error(first->code(), all)) : std::nullopt;
}

bool GroupFailures::is_any_lost() const {
  for (int group = 0; group < groups(); ++group)
    if (board_.has_group_failed(group)) return true;
  return false;
}

roles::Circle GroupFailures::circle_at_end() const {
  const bool is_agreed = std::ranges::any_of(losses_, &Loss::is_agreed);
  return is_agreed ? clients_->circle() : roles_.world;
}

}  // namespace thalweg::health
