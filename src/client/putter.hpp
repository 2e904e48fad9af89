// The put: the model's thread copies its pieces into blocks of its node, or into messages to other nodes.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "client/collection.hpp"
#include "client/piece_arrival.hpp"
#include "client/sender.hpp"
#include "client/wait_loop.hpp"
#include "config/settings.hpp"
#include "exchange/plan.hpp"
#include "profile/counters.hpp"
#include "roles/roles.hpp"
#include "staging/control.hpp"

namespace thalweg::client {

class Putter {
 public:
  // Of a session; all of it outlives this.
  struct Of {
    const config::Settings& settings;
    const roles::Roles& roles;
    staging::Control& control;
    const std::vector<exchange::Decomposition>& decompositions;
    WaitLoop& waits;
    const PieceArrival& arrival;
    Sender& sender;
    profile::ClientCounters& counters;
    std::function<void()> progress;  // what goes on in every call
  };
  explicit Putter(Of of) : of_(std::move(of)) {}

  // Whether this rank holds cells of the variable, or it has no decomposition.
  static bool holds(const Collection& collection, int variable);
  // A box of the variable in the upcoming record, which has begun. Waits for its blocks. Errors: NAME, ARGUMENT, STATE,
  // SHAPE, FULL, DEADLINE, and any failure reported meanwhile; GroupLost.
  void put(Collection& collection, int variable, int box, Field field);
  // The time of the record, where the collection has a coordinate of its own for it.
  void put_record_coordinate(Collection& collection, double time_s);
  // What the model did not put becomes fill value, so that a record is never waited for in vain.
  void put_missing(Collection& collection, bool has_record, std::int64_t record);

 private:
  const BoxPuts& next_box(Collection& collection, int variable, int box, std::int64_t record) const;
  FieldView view_of(const Collection& collection, int variable, const Field& field, const Box& box) const;
  void put_local(Collection& collection, int variable, const BoxPuts& puts, const Field& field, const FieldView& view,
                 std::int64_t record);
  void put_remote(Collection& collection, int variable, const BoxPuts& puts, const Field& field, const FieldView& view,
                  std::int64_t record);
  std::uint64_t convert_piece(Collection& collection, int variable, const transform::BoxCopy& copy,
                              const PiecePoints& points, const std::byte* source, std::byte* target);
  void fill_box(Collection& collection, int variable, const BoxPuts& puts, std::int64_t record);
  void send_if_complete(Collection& collection, int variable, std::int64_t record);
  std::byte* target_of(const Collection& collection, int variable, const LocalPut& piece, std::int64_t record) const;
  void wait_for_block(const BlockOf& block);
  void wait_for_room(const BlockOf& wanted, staging::Word& word, std::atomic<std::uint32_t>& waiters,
                     const std::function<bool()>& has_room);
  void wait_for_channel(Collection& collection, int variable, transport::SendChannel& channel, std::int64_t record);

  Of of_;
};

}  // namespace thalweg::client
