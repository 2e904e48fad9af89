#include "server/serving.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "server/replay.hpp"
#include "transport/collective.hpp"

namespace thalweg::server {

namespace commands = session::commands;

namespace {

constexpr double peer_interval_s = 1.0;     // between looks at whether the processes of the node live
constexpr double longest_sleep_s = 0.25;    // where the bell tells all
constexpr double shortest_look_s = 0.0005;  // for messages of other writers and nodes, while they come
constexpr double longest_look_s = 0.02;     // and after a while without any
constexpr double look_share = 0.01;         // of the time without any

}  // namespace

void Serving::run() {
  try {
    serve();
  } catch (const Error&) {
    core_.health.failures.throw_if_failed();
    throw;
  }
}

void Serving::serve() {
  core_.measured.phases.begin(core_.measured.times.other_s);
  staging::ClientState& self = core_.control().processes.client(core_.roles->node_rank);
  double last_s = now_s();
  double next_check_s = last_s + peer_interval_s;
  while (!core_.commands.has_ended()) {
    const std::uint32_t seen = core_.control().wake_ups.bell();
    const std::int64_t received = core_.receiver.received();
    bool worked = replay_next();
    core_.progress();
    core_.control().failures.throw_failure();
    worked |= core_.receiver.received() != received;
    const double now = now_s();
    self.since_s = now;
    self.seen_s = now;
    if (now > next_check_s) {
      core_.waits.waiter().check_peers();
      next_check_s = now + peer_interval_s;
    }
    if (worked)
      last_s = now;
    else
      sleep(seen, interval_s(now - last_s));
  }
}

void Serving::sleep(std::uint32_t seen, double longest_s) {
  const profile::Phases::Phase phase(core_.measured.phases, core_.measured.times.wait_message_s);
  core_.control().wake_ups.sleep_until_rung(seen, longest_s);
}

double Serving::interval_s(double idle_s) const {
  const bool looks = core_.looks_for_messages() || core_.commands.messenger().is_receiving();
  return core_.files.sleep_s(looks ? std::clamp(idle_s * look_share, shortest_look_s, longest_look_s)
                                   : longest_sleep_s);
}

// What is wrong with a command is told by all ranks together, and the clients know it; only failures that end the
// session end the serving.
bool Serving::replay_next() {
  const std::optional<transport::Bytes> bytes = core_.commands.messenger().receive();
  if (!bytes) return false;
  const commands::Command command = understood(*bytes);
  try {
    take(command);
  } catch (const Error&) {
    core_.control().failures.throw_failure();
  }
  return true;
}

// Who tells what cannot be understood tells it to this server alone.
commands::Command Serving::understood(const transport::Bytes& bytes) {
  try {
    return transport::unpack<commands::Command>(bytes);
  } catch (const Error& error) {
    core_.control().failures.report(error.code(), fmt::format("server, rank {}: {}", core_.roles->rank, error.what()));
    throw;
  }
}

void Serving::take(const commands::Command& command) {
  if (std::holds_alternative<commands::Finish>(command)) return core_.commands.end();
  if (const auto* abandoned = std::get_if<commands::Abandon>(&command)) {
    core_.control().failures.report(THALWEG_ERROR_PEER, abandoned->text);
    core_.control().failures.throw_failure();
  }
  replay(session_, command);
}

}  // namespace thalweg::server
