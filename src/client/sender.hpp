// What this rank has sent and what has not left yet: who waits for that, and who drives it while the model computes.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/collection.hpp"
#include "client/group_failures.hpp"
#include "client/wait_loop.hpp"
#include "config/settings.hpp"
#include "files/messages.hpp"
#include "health/messages.hpp"
#include "profile/counters.hpp"
#include "roles/roles.hpp"
#include "transport/progress_thread.hpp"

namespace thalweg::client {

class Sender {
 public:
  // Of a session; all of it outlives this.
  struct Of {
    const config::Settings& settings;
    const roles::Roles& roles;
    const std::vector<Collection*>& ready;
    const GroupFailures& groups;
    health::Messages& health_messages;
    files::Messages& file_messages;
    transport::Messenger& commands;
    WaitLoop& waits;
    profile::ClientCounters& counters;
  };
  explicit Sender(const Of& of) : of_(of) {}

  // Says, once in a job, if the thread that drives messages cannot be.
  void note_thread() const;
  // At the end of definitions.
  void start_thread();
  void end_thread();

  // Sends the pieces of a record in all messages of a variable.
  void send(VariablePuts& puts, std::int64_t record);
  // At the end of a call: messages go on while the model computes.
  void drive();
  void drive_now() {
    if (thread_) thread_->look(true);
  }

  bool is_under_way();
  bool has_sent_all();
  // With `send: wait`, at the end of advance.
  void wait_if_asked();
  void wait(double longest_interval_s);
  // The collection, and the receiver; none: all have left.
  std::pair<const Collection*, int> first_unsent();

 private:
  std::string unsent_pieces();

  Of of_;
  std::unique_ptr<transport::ProgressThread> thread_;
  bool receives_ = false;  // pieces come by message
  bool has_sent_ = false;  // and has not seen all of it leave
};

}  // namespace thalweg::client
