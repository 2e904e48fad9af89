// Waiting for others in a call of the model, while what others wait for goes on: messages move, and a writer that has
// no thread is stepped.
#pragma once

#include <functional>
#include <string>

#include "roles/roles.hpp"
#include "staging/control.hpp"
#include "staging/waiter.hpp"

namespace thalweg::health {

class WaitLoop {
 public:
  using Blame = std::function<std::string()>;
  // Messages between nodes go on in calls of Thalweg: who waits, or serves, looks for them this often while they come.
  static constexpr double message_interval_s = 0.0005;

  // names(collection, variable): for reports. roles and control outlive this. From here on collective steps of these
  // roles, too, end with what others of the node have met, and others see who waits in one.
  WaitLoop(const roles::Roles& roles, staging::Control& control, double deadline_s,
           std::function<std::string(int, int)> names);
  WaitLoop(const WaitLoop&) = delete;
  WaitLoop& operator=(const WaitLoop&) = delete;

  // progress: what goes on in every call.
  void set_progress(std::function<void()> progress) { progress_ = std::move(progress); }
  // looks: what a rank looks for while it waits in a collective step. Never waits, and is in no such step itself.
  void set_look_in_meeting(std::function<void()> looks) { look_in_meeting_ = std::move(looks); }
  // writers: sync, on a rank that writes: it steps its writer, which says whether it had something to do; elsewhere a
  // writer's rank waits like everybody else.
  void set_step(std::function<bool()> step) { step_ = std::move(step); }

  // Returns when done() says so. blame(): what is missing, for the report. Errors: as staging::Waiter::wait.
  void until(const std::function<bool()>& done, const staging::WaitFor& what, const Blame& blame,
             double longest_interval_s = staging::Waiter::longest_sleep_s);
  void until(const std::function<bool()>& done, const staging::WaitFor& what, const std::string& blame,
             double longest_interval_s = staging::Waiter::longest_sleep_s) {
    until(done, what, [&] { return blame; }, longest_interval_s);
  }
  // The same for what others bring about that no bell of this node tells of.
  void until_heard(const std::function<bool()>& done, const staging::WaitFor& what, const Blame& blame) {
    until(done, what, blame, message_interval_s);
  }
  void until_heard(const std::function<bool()>& done, const staging::WaitFor& what, const std::string& blame) {
    until(done, what, blame, message_interval_s);
  }
  // For ranks that are to come to the call that this one is in; and, as a barrier, for all of a circle. Errors: as
  // until.
  void for_ranks(const std::function<bool()>& done);
  void for_all_of(const roles::Circle& circle);

  // Of a single word of shared memory.
  staging::Waiter& waiter() { return waiter_; }

 private:
  staging::WakeUps& wake_ups_;
  staging::Waiter waiter_;
  std::function<bool()> step_;
  std::function<void()> progress_;
  std::function<void()> look_in_meeting_;
};

// What work waits for may belong to a group of servers that is lost: then nobody waits for it any more.
template <typename Work>
void unless_lost(const Work& work) {
  try {
    work();
  } catch (const staging::GroupLost&) {
  }
}

}  // namespace thalweg::health
