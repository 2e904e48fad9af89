// Pieces that come by message, and the blocks of this node's writers that they are for. Nothing here waits.
#pragma once

#include <deque>
#include <vector>

#include "block/piece_arrival.hpp"
#include "health/group_failures.hpp"
#include "profile/server_times.hpp"
#include "receive/inboxes.hpp"
#include "staging/wake_ups.hpp"
#include "transport/arrivals.hpp"

namespace thalweg::receive {

class Receiver {
 public:
  // All that is given outlives this. process: of this node; receive_s: seconds, by the number of a collection.
  Receiver(int process, staging::WakeUps& wake_ups, const health::GroupFailures& groups, block::PieceArrival& arrival,
           profile::Phases& phases, std::deque<Seconds>& receive_s)
      : process_(process),
        wake_ups_(wake_ups),
        groups_(groups),
        arrival_(arrival),
        phases_(phases),
        receive_s_(receive_s) {}

  // One more message a moment for a collection.
  void add(Inboxes& inboxes, const block::ReceivePlan& plan, bool has_record, transport::Communicator comm);

  // Takes all that has come and can be taken.
  void take();
  // This rank has come to another moment.
  void look_at_early_pieces();

  std::int64_t received() const { return received_; }  // messages so far
  // False: something is under way whose sender does not go on.
  bool cancel() { return arrivals_.cancel(); }

 private:
  // An owner of arrivals.
  struct Place {
    Inboxes* of = nullptr;
    std::size_t number = 0;
    Inbox& inbox() const { return of->all[number]; }
  };
  enum class Taking { taken, early, needs_block };
  bool take_what_came();
  Taking take_messages(const Place& place);
  Taking take_message(const Inboxes& of, Inbox& inbox, const std::byte* message);
  Taking take_record(const Inboxes& of, const Inbox& inbox, const std::byte* message);
  Taking take_fixed(const Inboxes& of, Inbox& inbox, const std::byte* message);
  template <typename Note>
  void copy_pieces(const Inboxes& of, const Inbox& inbox, const std::byte* message, const block::Moment& moment,
                   const Note& note);

  int process_;
  staging::WakeUps& wake_ups_;
  const health::GroupFailures& groups_;
  block::PieceArrival& arrival_;
  profile::Phases& phases_;
  std::deque<Seconds>& receive_s_;
  transport::Arrivals arrivals_;
  std::vector<Place> places_;  // of all collections
  std::vector<int> full_;      // that have something in which is not taken yet
  std::vector<int> early_;     // what is in is of a moment that this rank has not come to
  bool wants_block_ = false;   // for pieces that have come
  std::int64_t received_ = 0;
};

}  // namespace thalweg::receive
