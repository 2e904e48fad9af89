#include "session/group_blame.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "block/completeness.hpp"

namespace thalweg::session {
namespace {

// A server of this node that has looked neither for commands nor for what it waits for.
bool is_unresponsive(const staging::ClientState& server, double now, double deadline_s) {
  constexpr double patience_s = 2.0;
  return now - server.seen_s > std::min(patience_s, deadline_s / 2);
}

// A client's, or a node's, writer.
bool is_at_work(const auto& state) {
  return state.activity > staging::WriterActivity::idle;
}

}  // namespace

int GroupBlame::of(const staging::WaitFor& what) {
  if (what.cause == staging::WaitCause::peers && what.collection < 0) return known_.liveness.missing_group();
  if (what.cause == staging::WaitCause::orders) return of_late_listener();
  const Collection* collection =
      what.collection >= 0 ? known_.ready[static_cast<std::size_t>(what.collection)] : nullptr;
  if (what.cause == staging::WaitCause::send && collection == nullptr) return of_late_receiver();
  if (collection == nullptr) return -1;
  if (what.cause != staging::WaitCause::send) return of_record(*collection, what);
  return blamed(known_.roles.groups.group_of(collection->number));
}

// Who takes no messages may itself wait for a rank that is late: then its group is not to blame.
int GroupBlame::blamed(int group) {
  return group >= 0 && (is_writing(group) || is_unresponsive_here(group) || is_silent_elsewhere(group)) ? group : -1;
}

// A wait for a group is the group's fault if no pieces are missing here and one of its writers is at work: idle ones
// wait themselves, for pieces on another node. A record is written block by block, so some of its blocks may hold a
// later one already. Who waits for memory, although the slot has been written, waits for the oldest record. Or if a
// server here looks for nothing: it does not take pieces from the messages either.
int GroupBlame::of_record(const Collection& collection, const staging::WaitFor& what) {
  const int group = known_.roles.groups.group_of(collection.number);
  const std::int64_t written = collection.blocks.written_moments();
  const std::int64_t in_slot = what.record - collection.blocks.own->rings.depth();
  const bool waits_for_slot = what.cause == staging::WaitCause::block && in_slot >= written;
  const std::int64_t record = waits_for_slot ? in_slot : std::min(written, what.record);
  const auto has_all = [&](const block::WriterPart& part) { return block::is_complete(*part.plan, record); };
  if (record < written || (std::ranges::all_of(collection.blocks.parts, has_all) && is_writing(group))) return group;
  return is_unresponsive_here(group) ? group : -1;
}

bool GroupBlame::is_unresponsive_here(int group) {
  const staging::ProcessStates& processes = known_.processes;
  for (int c = 0; c < processes.client_count(); ++c)
    if (processes.client(c).group == group && is_unresponsive(processes.client(c), now_s(), known_.deadline_s))
      return true;
  return false;
}

// Whether one of its writers, of this node or as another one told, has something to do.
bool GroupBlame::is_writing(int group) {
  const staging::ProcessStates& processes = known_.processes;
  for (int c = 0; c < processes.client_count(); ++c)
    if (processes.client(c).group == group && is_at_work(processes.client(c))) return true;
  for (int n = 0; n < processes.node_count(); ++n)
    if (group_of_server(processes.node(n).writer) == group && is_at_work(processes.node(n))) return true;
  return false;
}

int GroupBlame::of_late_receiver() {
  if (const int group = blamed(group_of_server(known_.sender.first_unsent().second)); group >= 0) return group;
  for (transport::Messenger* sent : known_.to_servers)
    if (const int group = blamed(group_of_server(sent->late_receiver())); group >= 0) return group;
  return -1;
}

int GroupBlame::of_late_listener() {
  return blamed(group_of_server(known_.commands.full_receiver()));
}

// Another node with a server of the group has told that this server is stopped, or nothing to a leader who would have
// heard it.
bool GroupBlame::is_silent_elsewhere(int group) {
  const staging::ProcessStates& processes = known_.processes;
  const bool leader_hears = !processes.client(0).is_absent(now_s());
  for (int n = 0; n < processes.node_count(); ++n) {
    const staging::NodeState& node = processes.node(n);
    if (node.leader < 0) continue;
    if (group_of_server(node.absent) == group) return true;
    const auto is_of_group = [&](const roles::GroupMember& writer) { return group_of_server(writer.rank) == group; };
    if (leader_hears && now_s() - node.heard_s > known_.deadline_s / 2 &&
        std::ranges::any_of(known_.roles.groups.writers_on(n), is_of_group))
      return true;
  }
  return false;
}

// -1: it is none.
int GroupBlame::group_of_server(int rank) const {
  const std::vector<roles::GroupMember>& servers = known_.roles.groups.servers();
  const auto found = std::ranges::find(servers, rank, &roles::GroupMember::rank);
  return found == servers.end() ? -1 : found->group;
}

}  // namespace thalweg::session
