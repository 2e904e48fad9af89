// The messages that a rank expects from others, all looked at in one call of MPI. One call for each would make MPI go
// on with everything else each time, and give the processor away each time where ranks share one: with a thousand
// variables a single look at all of them took as long as the record.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

namespace thalweg::transport {

class Arrivals {
 public:
  // The number of a receive that the caller posts, for an owner that it numbers.
  std::size_t add(int owner);
  MPI_Request& post(std::size_t number);
  // Whether it was found to be in by a look behind its posting.
  bool is_in(std::size_t number) const { return is_in_[number]; }
  // It is in, and has no byte.
  bool is_empty(std::size_t number) const { return is_empty_[number]; }
  // Owners of what has come in since the last look; valid until the next one. A look takes longer the more receives
  // there are, and one that comes too soon behind another is none: what comes in is taken in batches.
  std::span<const int> look();
  // Nothing is expected any more. False: something is under way whose sender does not go on, and the library may put it
  // where it belongs as long as it lives.
  bool cancel();

 private:
  std::vector<MPI_Request> requests_;
  std::vector<bool> is_in_;
  std::vector<bool> is_empty_;
  std::vector<int> owners_;
  std::vector<int> found_;  // by a look: numbers, and then their owners
  std::vector<MPI_Status> statuses_;
  double next_look_s_ = 0.0;
};

}  // namespace thalweg::transport
