// The put: the model's thread copies its pieces into blocks of its node, or into messages to other nodes.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "block/moment.hpp"
#include "block/piece_arrival.hpp"
#include "config/settings.hpp"
#include "health/wait_loop.hpp"
#include "profile/counters.hpp"
#include "put/puts.hpp"
#include "put/sender.hpp"
#include "roles/roles.hpp"
#include "staging/wake_ups.hpp"
#include "transform/copy.hpp"

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
  explicit Putter(Of of) : of_(std::move(of)) {}

  // A box of the variable at a moment, which has begun, or the fixed one. Waits for its blocks. Errors: NAME, ARGUMENT,
  // STATE, SHAPE, FULL, DEADLINE, and any failure reported meanwhile; GroupLost.
  void put(Puts& puts, int variable, int box, Field field, const block::Moment& moment);
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
    bool is_fixed() const { return moment.number == staging::BlockAddress::fixed; }
    // Counts what may be put once for each moment, from 0.
    std::int64_t turn() const { return is_fixed() ? 0 : moment.number; }
    const block::NodeBlocks& blocks() const { return puts.blocks; }
    bool big_endian() const { return puts.blocks.own->files.big_endian; }
    const std::string& where() const { return of().of.where; }
  };
  const block::BoxPuts& next_box(const At& at, int box) const;
  void put_local(const At& at, const block::BoxPuts& box, const Field& field, const FieldView& view);
  void put_remote(const At& at, const block::BoxPuts& box, const Field& field, const FieldView& view);
  std::uint64_t convert_piece(const At& at, const transform::BoxCopy& copy, const block::PiecePoints& points,
                              const std::byte* source, std::byte* target);
  void fill_box(const At& at, const block::BoxPuts& box);
  void note_not_put(const At& at);
  void send_if_complete(const At& at);
  void wait_for_block(const At& at, const block::BlockPlace& block);
  void wait_for_room(const At& at, const block::BlockPlace& block, staging::Word& word,
                     std::atomic<std::uint32_t>& waiters, const std::function<bool()>& has_room);
  void wait_for_channel(const At& at, transport::SendChannel& channel);

  Of of_;
};

}  // namespace thalweg::put
