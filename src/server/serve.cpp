#include "server/serve.hpp"

#include "server/replay.hpp"
#include "server/serving.hpp"

namespace thalweg::server {

void serve(session::Session& session) {
  session::Core& core = session.core();
  const auto progress = [&core] {
    const std::int64_t received = core.receiver.received();
    core.progress();
    return core.receiver.received() != received;
  };
  Serving({.roles = *core.roles,
           .control = core.control(),
           .commands = core.commands,
           .failures = core.health.failures,
           .phases = core.measured.phases,
           .times = core.measured.times,
           .replay = [&session](const session::commands::Command& command) { replay(session, command); },
           .progress = progress,
           .check_peers = [&core] { core.waits.waiter().check_peers(); },
           .looks_for_messages = [&core] { return core.looks_for_messages(); },
           .sleep_s = [&core](double longest_s) { return core.files.sleep_s(longest_s); }})
      .run();
}

}  // namespace thalweg::server
