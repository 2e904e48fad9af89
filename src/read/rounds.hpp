// One get, round by round. What fails is kept, so that nobody waits for a rank that has met an error: it goes on with
// messages of nothing, and its error is thrown in the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/first_error.hpp"
#include "read/getting.hpp"
#include "read/read_plan.hpp"
#include "read/read_round.hpp"
#include "transport/round_messages.hpp"

namespace thalweg::read {

class Rounds {
 public:
  // What reads the round of this number on a rank that reads in it.
  using Source = std::function<ReadRound(std::size_t)>;

  // All outlives this.
  Rounds(const Getting& getting, const roles::Circle& circle, Source source)
      : getting_(getting), source_(std::move(source)), messages_(circle) {}

  // Collective, unless the plan is of ranks that read alone. Errors: the first one of this rank; DEADLINE.
  void make(const ReadPlan& plan);

  // Of all that this rank has read, as in ReadRound.
  struct Read {
    std::uint64_t sum = 0;
    std::int64_t cells = 0;
  };
  const Read& has_read() const { return has_read_; }

 private:
  ReadRound read(const Round& round, std::size_t number);
  void exchange(const Round& round, std::vector<RawBytes> outgoing);

  const Getting& getting_;
  Source source_;
  transport::RoundMessages messages_;
  RawBytes room_;
  Read has_read_;
  FirstError error_;
};

}  // namespace thalweg::read
