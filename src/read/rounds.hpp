// One get, round by round. What fails is kept, so that nobody waits for a rank that has met an error: it goes on with
// messages of nothing, and its error is thrown in the end.
#pragma once

#include <bit>
#include <functional>
#include <vector>

#include "base/first_error.hpp"
#include "read/getting.hpp"
#include "read/read_plan.hpp"
#include "transport/round_messages.hpp"

namespace thalweg::read {

class Rounds {
 public:
  // What reads a window on a rank that reads, into values, and returns their byte order.
  using Source = std::function<std::endian(const Box&, std::vector<std::byte>&)>;

  // All outlives this.
  Rounds(const Getting& getting, const roles::Circle& circle, Source source)
      : getting_(getting), source_(std::move(source)), messages_(circle) {}

  // Collective, unless the plan is of ranks that read alone. Errors: the first one of this rank; DEADLINE.
  void make(const ReadPlan& plan);

  // The sum of the bits of what this rank has read, if the getting asks for it, and of how many cells.
  struct Read {
    std::uint64_t sum = 0;
    std::int64_t cells = 0;
  };
  const Read& has_read() const { return has_read_; }

 private:
  void read(const Round& round);
  void place_own(const Round& round);
  void exchange(const Round& round);
  transport::Bytes message_of(const Share& share) const;

  const Getting& getting_;
  Source source_;
  transport::RoundMessages messages_;
  std::vector<std::byte> values_;  // of the window
  std::endian order_ = std::endian::native;
  std::vector<std::byte> room_;
  bool has_values_ = false;
  Read has_read_;
  FirstError error_;
};

}  // namespace thalweg::read
