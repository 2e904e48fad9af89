// The part of a server: it is told what the clients do together and does the same, without fields of its own; pieces
// come through the node's blocks or by message, and its writer works on a thread beside. It sleeps on the bell of its
// node; what comes from other nodes it looks for, ever less often while nothing does.
#pragma once

#include <functional>

#include "client/commands.hpp"
#include "client/core.hpp"

namespace thalweg::client {

class Serving {
 public:
  // replay: makes the call that a command tells of. core outlives this.
  Serving(Core& core, std::function<void(const commands::Command&)> replay) : core_(core), replay_(std::move(replay)) {}

  // Until the clients finish. Errors: what ended the session early.
  void run();

 private:
  bool replay_next();
  void replay(const commands::Command& command);
  commands::Command understood(const transport::Bytes& bytes);
  double interval_s(double idle_s) const;
  void sleep(std::uint32_t seen, double longest_s);

  Core& core_;
  std::function<void(const commands::Command&)> replay_;
};

}  // namespace thalweg::client
