// The part of a server: it is told what the clients do together and does the same, without fields of its own; pieces
// come through the node's blocks or by message, and its writer works on a thread beside. It sleeps on the bell of its
// node; what comes from other nodes it looks for, ever less often while nothing does.
#pragma once

#include "session/session.hpp"

namespace thalweg::server {

class Serving {
 public:
  // The session outlives this.
  explicit Serving(session::Session& session) : session_(session), core_(session.core()) {}

  // Until the clients finish: then Session::finish follows. A server that ends with an error says so to other nodes
  // before it goes. Errors: what ended the session early.
  void run();

 private:
  void serve();
  bool replay_next();
  void take(const session::commands::Command& command);
  session::commands::Command understood(const transport::Bytes& bytes);
  double interval_s(double idle_s) const;
  void sleep(std::uint32_t seen, double longest_s);

  session::Session& session_;
  session::Core& core_;
};

}  // namespace thalweg::server
