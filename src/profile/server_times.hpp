// Where the time of a server's main thread goes. Every moment belongs to one phase, so that the phases add up.
#pragma once

#include <deque>

#include "base/seconds.hpp"
#include "base/subject.hpp"

namespace thalweg::profile {

struct ServerTimes {
  Seconds other_s{"other"};  // what no phase below takes: orders of the model, waiting for blocks within them
  Seconds wait_message_s{"wait_message"};  // asleep, until a client has something
  Seconds define_s{"define"};              // definitions: collections, plans, memory, first files
  Seconds clean_up_s{"clean_up"};          // finish: what is left is written and published
  std::deque<Seconds> receive_s;           // of each collection: pieces of other nodes are copied into blocks
  std::deque<Seconds> forward_s;           // of each collection: files and records are prepared for those who write

  double total_s() const {
    double sum_s = other_s + wait_message_s + define_s + clean_up_s;
    for (const Seconds& receive : receive_s) sum_s += receive;
    for (const Seconds& forward : forward_s) sum_s += forward;
    return sum_s;
  }
};

// Counts time into one place at a time. Does nothing until begin().
class Phases {
 public:
  void begin(Seconds& place) {
    place_ = &place;
    since_s_ = now_s();
  }
  void end() { switch_to(nullptr); }

  // While it lives, time goes to this place and not to the one before.
  class Phase {
   public:
    // about: of what the time is; it holds from the end of the span before to that of its own.
    Phase(Phases& phases, Seconds& place, const Subject& about = subject_of_thread)
        : phases_(phases), before_(phases.place_), about_(subject_of_thread) {
      if (before_ != nullptr) phases_.switch_to(&place);
      subject_of_thread = about;
    }
    ~Phase() {
      if (before_ != nullptr) phases_.switch_to(before_);
    }
    Phase(const Phase&) = delete;
    Phase& operator=(const Phase&) = delete;

   private:
    Phases& phases_;
    Seconds* before_;
    Concerns about_;  // gives back what was before
  };

 private:
  void switch_to(Seconds* place) {
    const double now = now_s();
    if (place_ != nullptr) place_->add(since_s_, now);
    place_ = place;
    since_s_ = now;
  }

  Seconds* place_ = nullptr;
  double since_s_ = 0.0;
};

}  // namespace thalweg::profile
