#include "health/heartbeat.hpp"

#include <algorithm>

#include "base/clock.hpp"

namespace thalweg::health {

using staging::heartbeat_interval_s;

namespace {

// The lowest that neither waits nor, as a server, looks for commands; -1: there is none.
int absent_rank(const staging::ProcessStates& processes, double now) {
  int lowest = -1;
  for (int c = 0; c < processes.client_count(); ++c) {
    const staging::ClientState& of = processes.client(c);
    if (of.is_absent(now) && (lowest < 0 || of.rank < lowest)) lowest = of.rank;
  }
  return lowest;
}

// The client that has waited for longest; -1: none waits.
int longest_waiting(const staging::ProcessStates& processes) {
  int longest = -1;
  for (int c = 0; c < processes.client_count(); ++c) {
    const staging::ClientState& of = processes.client(c);
    if (of.is_server || of.cause == staging::WaitCause::nothing) continue;
    if (longest < 0 || of.since_s < processes.client(longest).since_s) longest = c;
  }
  return longest;
}

// One that has something to do, if any has; null: the node has no writer.
const staging::ClientState* telling_writer(const staging::ProcessStates& processes) {
  const staging::ClientState* writer = nullptr;
  for (int c = 0; c < processes.client_count(); ++c) {
    const staging::ClientState& of = processes.client(c);
    if (of.activity > staging::WriterActivity::idle) return &of;
    if (of.activity == staging::WriterActivity::idle) writer = &of;
  }
  return writer;
}

}  // namespace

bool Heartbeat::somebody_waits_long(double now) const {
  for (int c = 0; c < roles_.node_size; ++c) {
    const staging::ClientState& client = processes_.client(c);
    if (client.cause != staging::WaitCause::nothing && now - client.since_s > heartbeat_interval_s(deadline_s_))
      return true;
  }
  return false;
}

void Heartbeat::beat() {
  if (!tells()) return;
  const double now = now_s();
  const double interval = heartbeat_interval_s(deadline_s_);
  if (now - told_s_ < interval) return;
  const bool asks = somebody_waits_long(now);
  if (asks || now - asked_s_ <= interval) send(asks, now);
}

void Heartbeat::note_storage_call() {
  const double now = now_s();
  processes_.set_storage_call(now);
  // A beat just before has told of the call before.
  if (tells() && now - told_call_s_ >= heartbeat_interval_s(deadline_s_)) send(somebody_waits_long(now), now);
}

void Heartbeat::send(bool asks, double now) {
  told_s_ = now;
  told_call_s_ = processes_.last_storage_call_s();
  processes_.own().seen_s = now;  // who tells is not stopped, whatever he waits for
  const auto age_ms = [&](double of_s) { return static_cast<std::int64_t>((now - of_s) * 1e3); };
  NodeReport report{.node = roles_.node,
                    .asks = asks,
                    .absent = absent_rank(processes_, now),
                    .storage_call_age_ms = age_ms(processes_.last_storage_call_s())};
  if (const int waiting = longest_waiting(processes_); waiting >= 0) {
    report.waiting = processes_.client(waiting).rank;
    report.call = processes_.call(waiting).text();
  }
  if (const staging::ClientState* writer = telling_writer(processes_)) {
    report.writer = writer->rank;
    report.activity = writer->activity.load();
    report.activity_age_ms = age_ms(writer->activity_since_s);
  }
  for (const roles::Node& node : roles_.nodes)
    if (node.leader != roles_.rank) messages_.send(node.leader, report);
}

void Heartbeat::hear(const NodeReport& report) {
  const double now = now_s();
  if (report.asks) asked_s_ = now;
  staging::NodeState& node = processes_.node(report.node);
  node.absent = report.absent;
  node.waiting = report.waiting;
  node.call.set(report.call);
  node.writer = report.writer;
  node.activity = report.activity;
  node.activity_since_s = report.writer < 0 ? 0.0 : now - static_cast<double>(report.activity_age_ms) * 1e-3;
  node.storage_call_s = now - static_cast<double>(report.storage_call_age_ms) * 1e-3;
  node.heard_s = now;
}

}  // namespace thalweg::health
