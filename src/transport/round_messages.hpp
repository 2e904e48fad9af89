// Messages that go from some ranks to others round by round: in each round a rank knows from whom it gets how many
// bytes, and those of one round may be under way while the next is made.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "base/raw_bytes.hpp"
#include "roles/circle.hpp"

namespace thalweg::transport {

class RoundMessages {
 public:
  // Used by all ranks of the circle in as many rounds.
  explicit RoundMessages(const roles::Circle& circle);
  ~RoundMessages();
  RoundMessages(const RoundMessages&) = delete;
  RoundMessages& operator=(const RoundMessages&) = delete;

  // In this round; none, if its sender cannot make it, has no bytes.
  void expect(int from, std::int64_t bytes);
  void send(int to, RawBytes bytes);

  // Ends the round: what was expected is in, in that order, and what was sent in the round before has left. Collective.
  // Errors: DEADLINE.
  std::vector<RawBytes> end_round();
  // Ends the last one: all has left. Collective. Errors: as above.
  void end();

 private:
  // What the MPI library may look at.
  struct UnderWay {
    std::vector<MPI_Request> receives;
    std::vector<RawBytes> received;
    std::deque<std::vector<MPI_Request>> sends;  // of rounds
    std::deque<std::vector<RawBytes>> sent;
    std::vector<MPI_Status> statuses;

    bool is_in();
    bool has_left();  // the oldest round
    bool is_over() const { return receives.empty() && sends.size() == 1 && sends.front().empty(); }
  };

  template <typename Done>
  void wait(const Done& done);
  void leave();
  void drop_oldest();

  const roles::Circle& circle_;
  std::shared_ptr<UnderWay> under_way_ = std::make_shared<UnderWay>();
};

}  // namespace thalweg::transport
