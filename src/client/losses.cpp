// Session: with `on-server-loss: continue`, groups of servers that fail without the others (docs/decisions/0020). What
// concerns a lost group is given up, nobody waits for its servers, and all ranks learn of it by notices and roll calls.
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "client/library_desk.hpp"
#include "client/session.hpp"
#include "transport/collective.hpp"

namespace thalweg::client {
namespace {

// A server of this node that has looked neither for orders nor for what it waits for.
bool is_unresponsive(const staging::ClientState& server, double now, double deadline_s) {
  constexpr double patience_s = 2.0;
  return now - server.seen_s > std::min(patience_s, deadline_s / 2);
}

// A client's, or a node's, writer.
bool is_at_work(const auto& state) {
  return state.activity > staging::WriterActivity::idle;
}

}  // namespace

void Session::set_up_losses() {
  if (settings_.on_server_loss == config::OnServerLoss::stop) return;
  if (!survives_) {
    if (roles_->rank == roles_->first_client)
      log::note("on-server-loss: continue has no effect, because there is one group of servers only, or none");
    return;
  }
  losses_.resize(static_cast<std::size_t>(roles_->group_count));
  clients_ = std::make_unique<transport::Group>(roles_->world, roles_->is_client());
  waiter_->set_loss_rule({[this](int collection) { return roles_->group_of(collection); },
                          [this](const staging::WaitFor& what) { return group_to_blame(what); }});
}

// A wait for a group is the group's fault if no pieces are missing here and one of its writers is at work: idle ones
// wait themselves, for pieces on another node. A record is written block by block, so some of its blocks may hold a
// later one already. Or if a server here looks for nothing: it does not take pieces from the messages either.
int Session::group_to_blame(const staging::WaitFor& what) {
  if (what.cause == staging::WaitCause::peers && what.collection < 0) return missing_group();
  if (what.cause == staging::WaitCause::orders) return group_that_hears_nothing();
  const Collection* collection =
      what.collection >= 0 ? ready_collections_[static_cast<std::size_t>(what.collection)] : nullptr;
  if (what.cause == staging::WaitCause::send && collection == nullptr) return group_of_late_receiver();
  if (collection == nullptr) return -1;
  const int group = roles_->group_of(collection->number);
  if (what.cause == staging::WaitCause::send) return group;
  const std::int64_t written = collection->written_records();
  const std::int64_t depth = collection->plan->record_ring.shape().depth;
  const std::int64_t record =
      what.cause == staging::WaitCause::block ? what.record - depth : std::min(written, what.record);
  const auto has_all = [&](const Share& share) { return is_complete(*share.plan, record); };
  if (record < written || (std::ranges::all_of(collection->shares, has_all) && is_writing(group))) return group;
  return is_unresponsive_here(group) ? group : -1;
}

bool Session::is_unresponsive_here(int group) {
  for (int c = 0; c < control_->client_count(); ++c)
    if (control_->client(c).group == group && is_unresponsive(control_->client(c), now_s(), settings_.deadline_s))
      return true;
  return false;
}

// Whether one of its writers, of this node or as another one told, has something to do.
bool Session::is_writing(int group) {
  for (int c = 0; c < control_->client_count(); ++c)
    if (control_->client(c).group == group && is_at_work(control_->client(c))) return true;
  for (int n = 0; n < control_->node_count(); ++n)
    if (group_of_server(control_->node(n).writer) == group && is_at_work(control_->node(n))) return true;
  return false;
}

int Session::group_of_late_receiver() {
  for (const int rank : {first_unsent().second, notices_.mailbox().late_receiver(), verbs_.late_receiver()})
    if (const int group = group_of_server(rank); group >= 0) return group;
  return -1;
}

// A server that takes no orders may itself wait for pieces of a rank that is late: then its group is not to blame.
int Session::group_that_hears_nothing() {
  const int group = group_of_server(verbs_.full_receiver());
  if (group < 0) return -1;
  return is_writing(group) || is_unresponsive_here(group) || is_silent_elsewhere(group) ? group : -1;
}

// Another node with a server of the group has told nothing, or that this server is stopped.
bool Session::is_silent_elsewhere(int group) {
  for (int n = 0; n < control_->node_count(); ++n) {
    const staging::NodeState& node = control_->node(n);
    if (node.leader < 0) continue;
    if (group_of_server(node.absent) == group) return true;
    const auto is_of_group = [&](const roles::Writer& writer) { return group_of_server(writer.rank) == group; };
    if (now_s() - node.heard_s > settings_.deadline_s / 2 &&
        std::ranges::any_of(roles_->nodes[static_cast<std::size_t>(n)].writers, is_of_group))
      return true;
  }
  return false;
}

// -1: it is none.
int Session::group_of_server(int rank) const {
  const auto found = std::ranges::find(roles_->servers, rank);
  return found == roles_->servers.end()
             ? -1
             : roles_->server_groups[static_cast<std::size_t>(found - roles_->servers.begin())];
}

// A server gives up its group's collections when it cannot make their files.
bool Session::survives(const Collection& collection, const Error& error) {
  if (!survives_ || roles_->is_client()) return false;
  control_->report_loss(roles_->group_of(collection.number), error.code(), error.what());
  return true;
}

// ---- who knows it

void Session::learn_losses() {
  for (int group = 0; group < static_cast<int>(losses_.size()); ++group) {
    Loss& loss = losses_[static_cast<std::size_t>(group)];
    if (!control_->is_lost(group)) continue;
    if (!std::exchange(loss.is_known, true)) {
      for (std::size_t s = 0; s < roles_->servers.size(); ++s)
        if (roles_->server_groups[s] == group)
          for (auto* sent : {&verbs_, &notices_.mailbox()}) sent->forget(roles_->servers[s]);
      if (roles_->rank == roles_->first_client) log::warning("{}", loss_text(group));
    }
    if (!speaks_for_node() && !control_->was_loss_reported_here(group)) continue;
    if (!std::exchange(loss.is_spread, true)) spread_loss(group);
  }
}

// To the leaders of the other nodes and, because these may be servers of the group, to a client of each.
void Session::spread_loss(int group) {
  const Error loss = control_->loss(group);
  transport::Notice notice{transport::NoticeKind::lost, 0, group, {}, loss.code(), loss.what()};
  for (const Collection* collection : ready_collections_) notice.offsets.push_back(known_records(*collection));
  for (const roles::Node& node : roles_->nodes) {
    if (&node == &roles_->nodes[static_cast<std::size_t>(roles_->node)]) continue;
    notices_.send(node.leader, notice);
    if (node.first_client >= 0 && node.first_client != node.leader) notices_.send(node.first_client, notice);
  }
}

void Session::hear_loss(const transport::Notice& notice) {
  if (!survives_) return;
  losses_[static_cast<std::size_t>(notice.number)].is_spread = true;
  for (std::size_t c = 0; c < std::min(ready_collections_.size(), notice.offsets.size()); ++c)
    ready_collections_[c]->confirmed_records = std::max(ready_collections_[c]->confirmed_records, notice.offsets[c]);
  control_->report_loss(static_cast<int>(notice.number), static_cast<thalweg_status>(notice.code), notice.text);
}

// Records that are committed for sure. With a set or several writers, the node that owns the files knows.
std::int64_t Session::known_records(const Collection& collection) const {
  const bool is_home = collection.plan->owns_files;
  return std::max(collection.confirmed_records, is_home ? collection.plan->record_ring.progress().records.load() : 0);
}

std::string Session::loss_text(int group) const {
  std::vector<int> ranks;
  for (std::size_t s = 0; s < roles_->servers.size(); ++s)
    if (roles_->server_groups[s] == group) ranks.push_back(roles_->servers[s]);
  std::string text = fmt::format("the servers of group {} (rank {}) are lost: {}\n", group, fmt::join(ranks, ", "),
                                 control_->loss(group).what());
  for (const Collection* collection : ready_collections_) {
    if (roles_->group_of(collection->number) != group) continue;
    text += fmt::format("  given up: collection '{}', of which {} records are known to be committed\n",
                        collection->name, known_records(*collection));
  }
  return text + "All other collections go on.";
}

// What the lowest client knew at the last roll call: so all ranks end alike, servers too, and none is left in
// MPI_Finalize by others that abort.
std::optional<Error> Session::loss() const {
  std::optional<Error> first;
  std::string text;
  for (int group = 0; group < static_cast<int>(losses_.size()); ++group) {
    if (!losses_[static_cast<std::size_t>(group)].is_agreed) continue;
    if (!first) first = control_->loss(group);
    if (!text.empty()) text += '\n';
    text += loss_text(group);
  }
  return first ? std::optional(Error(first->code(), text)) : std::nullopt;
}

// Clients have a communicator of their own, which no server is missing in.
roles::Circle Session::circle_at_end() const {
  for (const Loss& loss : losses_)
    if (loss.is_agreed) return clients_->circle();
  return roles_->world;
}

// ---- who is here

// In place of a barrier of all ranks: servers say to the lowest client that they are here, and it comes to the barrier
// of the clients when all servers have that are not lost. Then everybody hears which ones are.
void Session::call_roll() {
  ++roll_;
  if (!roles_->is_client()) return answer_roll();
  if (roles_->rank == roles_->first_client)
    while (missing_group() >= 0)
      unless_lost([&] {
        drain_until([&] { return missing_group() < 0; }, {staging::WaitCause::peers, -1, -1, -1},
                    "Not every server came to this collective call.\n", message_interval_s);
      });
  transport::PendingBarrier barrier(clients_->circle());
  drain_until([&] { return barrier.is_done(); }, {staging::WaitCause::peers, -1, -1, -1},
              "Not every rank came to this collective call.\n", message_interval_s);
  agree_on_losses();
}

void Session::answer_roll() {
  rolls_.send(roles_->first_client, transport::Packer().put(roles_->rank).put(roll_).take());
  drain_until([&] { return hear_roll(), answered_roll_ >= roll_; }, {staging::WaitCause::peers, -1, -1, -1},
              "Not every rank came to this collective call.\n", message_interval_s);
}

// The first that has servers which are not here yet and is not lost; -1: there is none.
int Session::missing_group() {
  if (roles_->rank != roles_->first_client) return -1;
  hear_roll();
  for (std::size_t s = 0; s < roles_->servers.size(); ++s)
    if (!control_->is_lost(roles_->server_groups[s]) && rolls_of_servers_[roles_->servers[s]] < roll_)
      return roles_->server_groups[s];
  return -1;
}

void Session::agree_on_losses() {
  transport::Packer packer;
  const int groups = static_cast<int>(losses_.size());
  for (int group = 0; group < groups; ++group) {
    const bool is_lost = control_->is_lost(group);
    const Error loss = control_->loss(group);
    packer.put(is_lost).put(loss.code()).put_all(std::string(loss.what()));
  }
  const transport::Bytes bytes = transport::broadcast(clients_->circle(), 0, packer.take());
  transport::Unpacker unpacker(bytes);
  transport::Packer answer;
  answer.put(roles_->rank).put(roll_);
  for (int group = 0; group < groups; ++group) {
    const bool is_lost = unpacker.get<bool>();
    const auto code = unpacker.get<thalweg_status>();
    const auto text = unpacker.get_all<std::string>();
    if (is_lost) control_->report_loss(group, code, text);
    losses_[static_cast<std::size_t>(group)].is_agreed = is_lost;
    answer.put(is_lost);
  }
  if (roles_->rank != roles_->first_client) return;
  const transport::Bytes text = answer.take();
  for (const int server : roles_->servers) rolls_.send(server, text);
}

void Session::hear_roll() {
  while (const auto bytes = rolls_.receive()) {
    transport::Unpacker unpacker(*bytes);
    const int rank = unpacker.get<int>();
    const auto roll = unpacker.get<std::int64_t>();
    if (roles_->is_client()) {
      rolls_of_servers_[rank] = roll;
      continue;
    }
    answered_roll_ = roll;
    for (Loss& loss : losses_) loss.is_agreed = unpacker.get<bool>();
  }
}

}  // namespace thalweg::client
