// The put of variables with records: the model's thread copies its pieces into blocks of its node, or into messages to
// other nodes.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "block/moment.hpp"
#include "block/piece_arrival.hpp"
#include "config/settings.hpp"
#include "health/wait_loop.hpp"
#include "profile/counters.hpp"
#include "put/piece_copier.hpp"
#include "put/puts.hpp"
#include "put/sender.hpp"
#include "roles/roles.hpp"
#include "staging/wake_ups.hpp"

namespace thalweg::put {

class Putter {
 public:
  // Of a session; all of it outlives this.
  struct Of {
    const config::Settings& settings;
    const roles::Roles& roles;
    staging::WakeUps& wake_ups;
    health::WaitLoop& waits;
    const block::PieceArrival& arrival;
    Sender& sender;
    profile::ClientCounters& counters;
    std::function<void()> progress;  // what goes on in every call
  };
  explicit Putter(Of of) : of_(std::move(of)), copier_(of_.counters) {}

  // A box of the variable at a moment, which has begun. Waits for its blocks. Errors: NAME, ARGUMENT,
  // STATE, SHAPE, FULL, DEADLINE, and any failure reported meanwhile; GroupLost.
  void put(Puts& puts, int variable, int box, const Field& field, const block::Moment& moment);
  // The time of the record, where the collection has a coordinate of its own for it.
  void put_record_coordinate(Puts& puts, double time_s, const block::Moment& moment);
  // What the model did not put for this moment becomes fill value, so that a record is never waited for in vain. Where
  // that is an error of the model, it is kept in puts.not_put.
  void put_missing(Puts& puts, const block::Moment& moment);

 private:
  // A variable of a collection, at a moment.
  struct At {
    Puts& puts;
    int variable;
    block::Moment moment;
    VariablePuts& of() const { return puts.variables[static_cast<std::size_t>(variable)]; }
    const block::NodeBlocks& blocks() const { return puts.blocks; }
    bool big_endian() const { return puts.blocks.own->files.big_endian; }
    const std::string& where() const { return of().of.where; }
  };
  const block::BoxPuts& next_box(const At& at, int box) const;
  // from: null: the fill value.
  void put_local(const At& at, const block::BoxPuts& box, const CheckedField* from);
  void put_remote(const At& at, const block::BoxPuts& box, const CheckedField* from);
  void send_if_complete(const At& at);
  void wait_for_block(const At& at, const block::BlockPlace& block);
  void wait_for_room(const At& at, const block::BlockPlace& block, staging::Word& word,
                     std::atomic<std::uint32_t>& waiters, const std::function<bool()>& has_room);
  void wait_for_channel(const At& at, transport::SendChannel& channel);

  Of of_;
  PieceCopier copier_;
};

}  // namespace thalweg::put
