// What this rank has sent and what has not left yet: who waits for that, and who drives it while the model computes.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/settings.hpp"
#include "health/group_failures.hpp"
#include "health/wait_loop.hpp"
#include "profile/counters.hpp"
#include "put/puts.hpp"
#include "roles/roles.hpp"
#include "transport/messenger.hpp"
#include "transport/progress_thread.hpp"

namespace thalweg::put {

class Sender {
 public:
  // Of a session; all of it outlives this.
  struct Of {
    const config::Settings& settings;
    const roles::Roles& roles;
    const health::GroupFailures& groups;
    std::vector<transport::Messenger*> messages;  // that have to leave as well, among ranks that write,
    transport::Messenger& commands;               // and to servers
    health::WaitLoop& waits;
    profile::ClientCounters& counters;
  };
  explicit Sender(const Of& of) : of_(of) {}

  // A collection whose definitions have ended; receives: pieces of it come here by message.
  void add(Puts& puts, bool receives);
  void clear() { puts_.clear(); }

  // Says, once in a job, if the thread that drives messages cannot be.
  void note_thread() const;
  // At the end of definitions.
  void start_thread();
  void end_thread();

  // Sends the pieces of a variable in all its messages; turn: of the channels.
  void send(VariablePuts& puts, std::int64_t turn);
  // Of a fixed variable, as far as its channels are free: its values, if they wait for that, and that so many leading
  // files have all of theirs. True: all is sent.
  bool send_fixed(VariablePuts& puts, std::int64_t settled_files);
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
  std::pair<const catalog::CollectionIdentity*, int> first_unsent();

 private:
  std::string unsent_pieces();
  template <typename Send>
  bool send_if_free(VariablePuts& puts, const Send& send);

  Of of_;
  std::vector<Puts*> puts_;  // of all collections
  std::unique_ptr<transport::ProgressThread> thread_;
  bool sends_ = false;     // pieces go by message,
  bool receives_ = false;  // or come
  bool has_sent_ = false;  // and has not seen all of it leave
};

}  // namespace thalweg::put
