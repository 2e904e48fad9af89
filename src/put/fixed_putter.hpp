// Puts fixed variables: once, for all files, and anew for files that begin later. What is put anew is kept in this
// rank's memory until all files before have the block that it goes to, so no put waits, and no file changes that has
// records.
#pragma once

#include <vector>

#include "block/piece_arrival.hpp"
#include "health/group_failures.hpp"
#include "profile/counters.hpp"
#include "put/piece_copier.hpp"
#include "put/puts.hpp"
#include "put/sender.hpp"
#include "roles/roles.hpp"
#include "staging/wake_ups.hpp"

namespace thalweg::put {

class FixedPutter {
 public:
  // Of a session; all of it outlives this.
  struct Of {
    const roles::Roles& roles;
    const health::GroupFailures& groups;
    staging::WakeUps& wake_ups;
    const block::PieceArrival& arrival;
    Sender& sender;
    profile::ClientCounters& counters;
  };
  explicit FixedPutter(const Of& of) : of_(of), copier_(of.counters) {}

  // A collection whose definitions have ended.
  void add(Puts& puts);
  void clear() { puts_.clear(); }

  // A box of a variable. files: that this rank has begun, of the collection over all its groups. Errors: NAME,
  // ARGUMENT, SHAPE; STATE for a box that was put since the last file began.
  void put(Puts& puts, int variable, int box, const Field& field, std::int64_t files);
  // What was never put becomes fill value, in all files; noted where there are any.
  void put_missing(Puts& puts, bool has_files = true);

  // This rank has begun so many leading files of the collection: what is put from now on is for others.
  void begin_files(Puts& puts, std::int64_t files);
  // Of all collections, in every call: what can go on its way. Never waits.
  void go_on();

 private:
  // A box of a variable, and where its values come from; null: the fill value.
  struct Given {
    Puts& puts;
    int variable;
    int box;
    const CheckedField* from;
    VariablePuts& of() const { return puts.variables[static_cast<std::size_t>(variable)]; }
    const block::BoxPuts& box_puts() const { return of().boxes[static_cast<std::size_t>(box)]; }
    std::vector<std::uint64_t>& sums() const { return of().sums[static_cast<std::size_t>(box)]; }
  };
  void put_first(const Given& given);
  void renew_blocks(const Given& given);
  void copy_to_messages(const Given& given);
  void keep(Puts& puts, int variable, int box, const Field& field);
  bool place(Puts& puts, RenewedValues& renewed);
  bool settle(Puts& puts, std::int64_t file);
  static void let_values_go(Puts& puts, VariablePuts& of);
  bool send_values(Puts& puts);
  void go_on(Puts& puts);

  Of of_;
  PieceCopier copier_;
  std::vector<Puts*> puts_;  // of all collections
};

}  // namespace thalweg::put
