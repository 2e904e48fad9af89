// With `on-server-loss: continue`, groups of servers that fail without the others (docs/decisions/0020). What concerns
// a lost group is given up, nobody waits for its servers, and all ranks learn of it by messages and liveness checks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "block/node_blocks.hpp"
#include "catalog/collection_identity.hpp"
#include "config/settings.hpp"
#include "health/messages.hpp"
#include "roles/roles.hpp"
#include "staging/failure_board.hpp"
#include "transport/group.hpp"

namespace thalweg::health {

// What of a collection is known to be safe, for the day on which its servers are lost.
struct Standing {
  const catalog::CollectionIdentity& identity;
  const block::NodeBlocks& blocks;
  std::function<std::string()> file;   // the name of the last one that was begun; "": none was
  std::int64_t committed_records = 0;  // as wait or another rank said

  // Also what this rank sees. With a set or several writers, the node that owns the files knows.
  std::int64_t known_records() const;
};

class GroupFailures {
 public:
  // Whether a group may fail without the others.
  static bool are_survived(const config::Settings& settings, const roles::Roles& roles);

  // Collective over all ranks if groups may fail alone. to_servers: what servers are sent anything by. All that is
  // given outlives this.
  GroupFailures(const config::Settings& settings, const roles::Roles& roles, staging::FailureBoard& board,
                Messages& messages, std::vector<transport::Messenger*> to_servers);

  bool are_survived() const { return clients_ != nullptr; }
  // Collections whose definitions have ended, in order of their numbers.
  void add(Standing& standing) { standings_.push_back(&standing); }
  void clear() { standings_.clear(); }
  bool is_given_up(int collection) const { return board_.has_group_failed(roles_.groups.group_of(collection)); }
  // A server gives up its group's collections when it cannot make their files; true: it has.
  bool give_up(int collection, const Error& error);

  // Tells the other nodes of losses that are new here, and nobody waits for what was sent to lost servers any more.
  void learn(bool speaks_for_node);
  void hear(const health::GroupLoss& loss);

  // What all ranks knew at the last liveness check: so all end alike, and none is left in MPI_Finalize by others that
  // abort. Nothing: no group is lost.
  std::optional<Error> agreed() const;
  void agree(int group, bool is_lost) { losses_[static_cast<std::size_t>(group)].is_agreed = is_lost; }
  int groups() const { return static_cast<int>(losses_.size()); }
  bool is_any_lost() const;

  // Of the clients, which no server is missing in; only where groups may fail alone.
  roles::Circle clients() const { return clients_->circle(); }
  // Of those who do something together at the end; null on others.
  roles::Circle circle_at_end() const;

 private:
  struct Loss {
    bool is_known = false;
    bool is_spread = false;
    bool is_agreed = false;
  };
  void note(int group) const;
  void spread(int group) const;
  std::string text(int group) const;
  static std::string given_up_text(const Standing& of, bool is_turn);

  const roles::Roles& roles_;
  staging::FailureBoard& board_;
  health::Messages& messages_;
  std::vector<transport::Messenger*> to_servers_;
  std::vector<Standing*> standings_;
  std::vector<Loss> losses_;  // of each group
  std::unique_ptr<transport::Group> clients_;
};

}  // namespace thalweg::health
