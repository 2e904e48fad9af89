#include "health/wait_loop.hpp"

#include <sched.h>

#include "base/clock.hpp"
#include "transport/collective.hpp"

namespace thalweg::health {
namespace {

std::string text_of(const staging::CallName& call) {
  const std::string text = call.text();
  return text.empty() ? "a collective call" : text;
}

}  // namespace

WaitLoop::WaitLoop(const roles::Roles& roles, staging::Control& control, double deadline_s,
                   std::function<std::string(int, int)> names)
    : wake_ups_(control.wake_ups),
      waiter_(control.processes, control.failures, roles.node_rank, deadline_s, std::move(names)) {
  roles::Patience& patience = *roles.world.patience();
  patience.call = [&call = control.processes.call(roles.node_rank)] { return text_of(call); };
  patience.looks = [this] {
    if (look_in_meeting_) look_in_meeting_();
    waiter_.look_in_meeting();
  };
  patience.ends = [this] { waiter_.end_meeting(); };
  patience.who_waits = [this] { return waiter_.who_waits(); };
  patience.expired = [&board = control.failures](const Error& error) { board.report(error.code(), error.what()); };
}

void WaitLoop::until(const std::function<bool()>& done, const staging::WaitFor& what, const Blame& blame,
                     double longest_interval_s) {
  const auto ready = [&] {
    if (step_)
      while (step_()) progress_();
    return done();
  };
  // The bell tells the stepping leader that pieces came in, the progress tells the others that something was written.
  const bool steps = step_ != nullptr;
  if (steps) wake_ups_.listen_to_bell(true);
  waiter_.wait(steps ? wake_ups_.bell_word() : wake_ups_.progress_word(), what, ready, blame, longest_interval_s);
  if (steps) wake_ups_.listen_to_bell(false);
}

void WaitLoop::for_ranks(const std::function<bool()>& done) {
  until_heard(done, {staging::WaitCause::peers, -1, -1, -1}, "Not every rank came to this collective call.\n");
}

// As a rule all come within a moment, and who sleeps looks again half a millisecond later.
void WaitLoop::for_all_of(const roles::Circle& circle) {
  constexpr double moment_s = 0.0002;
  transport::PendingBarrier barrier(circle);
  for (const double start_s = now_s(); !barrier.is_done() && now_s() - start_s < moment_s;) sched_yield();
  for_ranks([&] { return barrier.is_done(); });
}

}  // namespace thalweg::health
