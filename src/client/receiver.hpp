// Pieces that come by message, and the blocks of this rank's writers that they are for. Nothing here waits.
#pragma once

#include <deque>
#include <vector>

#include "client/collection.hpp"
#include "client/group_failures.hpp"
#include "client/piece_arrival.hpp"
#include "profile/server_times.hpp"
#include "staging/control.hpp"
#include "transport/arrivals.hpp"

namespace thalweg::client {

class Receiver {
 public:
  // All that is given outlives this. receive_s: seconds, by the number of a collection.
  Receiver(staging::Control& control, const GroupFailures& groups, PieceArrival& arrival, profile::Phases& phases,
           std::deque<double>& receive_s)
      : control_(control), groups_(groups), arrival_(arrival), phases_(phases), receive_s_(receive_s) {}

  // A new channel of a collection, which is to post its receives in arrivals() for this owner.
  int add(const InboxPlace& inbox);
  transport::Arrivals& arrivals() { return arrivals_; }

  // Takes all that has come and can be taken.
  void take();
  // This rank has come to another record.
  void look_at_early_pieces();

  std::int64_t received() const { return received_; }  // messages so far
  // False: something is under way whose sender does not go on.
  bool cancel() { return arrivals_.cancel(); }

 private:
  enum class Taking { taken, early, needs_block };
  bool take_what_came();
  Taking take_messages(const InboxPlace& place);
  Taking take_message(Collection& collection, Inbox& inbox, const std::byte* message);
  void copy_pieces(Collection& collection, const Inbox& inbox, const std::byte* message, std::int64_t index_in_file);

  staging::Control& control_;
  const GroupFailures& groups_;
  PieceArrival& arrival_;
  profile::Phases& phases_;
  std::deque<double>& receive_s_;
  transport::Arrivals arrivals_;
  std::vector<InboxPlace> inboxes_;  // of all collections: owners of the arrivals
  std::vector<int> full_;            // that have something in which is not taken yet
  std::vector<int> early_;           // what is in is of a record that this rank has not come to
  bool wants_block_ = false;         // for pieces that have come
  std::int64_t received_ = 0;
};

}  // namespace thalweg::client
