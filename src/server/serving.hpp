// The part of a server: it is told what the clients do together and does the same, without fields of its own; pieces
// come through the node's blocks or by message, and its writer works on a thread beside. It sleeps on the bell of its
// node; what comes from other nodes it looks for, ever less often while nothing does.
#pragma once

#include <functional>

#include "health/failures.hpp"
#include "profile/server_times.hpp"
#include "roles/roles.hpp"
#include "session/command_channel.hpp"
#include "session/commands.hpp"
#include "staging/control.hpp"

namespace thalweg::server {

class Serving {
 public:
  // What it has of the session that it drives; all of it outlives this.
  struct Of {
    const roles::Roles& roles;
    staging::Control& control;
    session::CommandChannel& commands;
    health::Failures& failures;
    profile::Phases& phases;
    profile::ServerTimes& times;
    // Makes the call that a command tells of. Errors: those of the call.
    std::function<void(const session::commands::Command&)> replay;
    // What goes on in every call; whether pieces have come with it.
    std::function<bool()> progress;
    // Errors: PEER if a process of the node has died.
    std::function<void()> check_peers;
    // Some messages come that nobody rings the bell for.
    std::function<bool()> looks_for_messages;
    // Until something of the files is overdue, at most this long.
    std::function<double(double)> sleep_s;
  };
  explicit Serving(Of of) : of_(std::move(of)) {}

  // Until the clients finish: then Session::finish follows. A server that ends with an error says so to other nodes
  // before it goes. Errors: what ended the session early.
  void run();
  // A look at everything, which never sleeps; whether there was something. Errors: as run.
  bool take_turn();

 private:
  void serve();
  bool replay_next();
  void take(const session::commands::Command& command);
  session::commands::Command understood(const transport::Bytes& bytes);
  void check_peers_sometimes(double now);
  double interval_s(double idle_s) const;
  void sleep(std::uint32_t seen, double longest_s);

  Of of_;
  double next_check_s_ = 0.0;  // of peers
};

}  // namespace thalweg::server
