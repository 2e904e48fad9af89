#include "server/serving.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "transport/typed_messages.hpp"

namespace thalweg::server {

namespace commands = session::commands;

namespace {

constexpr double peer_interval_s = 1.0;   // between looks at whether the processes of the node live
constexpr double longest_sleep_s = 0.25;  // where the bell tells all
// For messages of other writers and nodes, while they come, and after a while without any.
constexpr double shortest_look_s = health::WaitLoop::message_interval_s;
constexpr double longest_look_s = 0.02;
constexpr double look_share = 0.01;  // of the time without any

}  // namespace

void Serving::run() {
  try {
    serve();
  } catch (const Error&) {
    of_.failures.throw_if_failed();
    throw;
  }
}

void Serving::serve() {
  of_.phases.begin(of_.times.other_s);
  double last_s = now_s();
  next_check_s_ = last_s + peer_interval_s;
  while (!of_.commands.has_ended()) {
    const std::uint32_t seen = of_.control.wake_ups.bell();
    const bool worked = take_turn();
    const double now = now_s();
    if (worked)
      last_s = now;
    else
      sleep(seen, interval_s(now - last_s));
  }
}

bool Serving::take_turn() {
  bool worked = replay_next();
  worked |= of_.progress();
  of_.control.failures.throw_failure();
  const double now = now_s();
  staging::ClientState& self = of_.control.processes.client(of_.roles.node_rank);
  self.since_s = now;
  self.seen_s = now;
  check_peers_sometimes(now);
  return worked;
}

void Serving::check_peers_sometimes(double now) {
  if (now <= next_check_s_) return;
  of_.check_peers();
  next_check_s_ = now + peer_interval_s;
}

void Serving::sleep(std::uint32_t seen, double longest_s) {
  const profile::Phases::Phase phase(of_.phases, of_.times.wait_message_s);
  of_.control.wake_ups.sleep_until_rung(seen, longest_s);
}

double Serving::interval_s(double idle_s) const {
  const bool looks = of_.looks_for_messages() || of_.commands.messenger().is_receiving();
  return of_.sleep_s(looks ? std::clamp(idle_s * look_share, shortest_look_s, longest_look_s) : longest_sleep_s);
}

// What is wrong with a command is told by all ranks together, and the clients know it; only failures that end the
// session end the serving.
bool Serving::replay_next() {
  const std::optional<transport::Bytes> bytes = of_.commands.messenger().receive();
  if (!bytes) return false;
  const commands::Command command = understood(*bytes);
  try {
    take(command);
  } catch (const Error&) {
    of_.control.failures.throw_failure();
  }
  return true;
}

// Who tells what cannot be understood tells it to this server alone.
commands::Command Serving::understood(const transport::Bytes& bytes) {
  try {
    return transport::unpack<commands::Command>(bytes);
  } catch (const Error& error) {
    of_.control.failures.report(error.code(), fmt::format("server, rank {}: {}", of_.roles.rank, error.what()));
    throw;
  }
}

void Serving::take(const commands::Command& command) {
  if (std::holds_alternative<commands::Finish>(command)) return of_.commands.end();
  if (const auto* abandoned = std::get_if<commands::Abandon>(&command)) {
    of_.control.failures.report(THALWEG_ERROR_PEER, abandoned->text);
    of_.control.failures.throw_failure();
  }
  of_.replay(command);
}

}  // namespace thalweg::server
