#include "health/heartbeat.hpp"

#include <algorithm>

#include "base/clock.hpp"

namespace thalweg::health {
namespace {

// Of the deadline, between two tellings; a wait of this length is a long one.
constexpr double interval_share = 0.125;
constexpr double longest_interval_s = 10.0;

double interval_s(double deadline_s) {
  return std::min(deadline_s * interval_share, longest_interval_s);
}

// The lowest that neither waits nor, as a server, looks for orders; -1: there is none.
int absent_rank(staging::Control& control, double now) {
  int lowest = -1;
  for (int c = 0; c < control.client_count(); ++c) {
    const staging::ClientState& of = control.client(c);
    if (of.is_absent(now) && (lowest < 0 || of.rank < lowest)) lowest = of.rank;
  }
  return lowest;
}

// One that has something to do, if any has; null: the node has no writer.
const staging::ClientState* telling_writer(staging::Control& control) {
  const staging::ClientState* writer = nullptr;
  for (int c = 0; c < control.client_count(); ++c) {
    const staging::ClientState& of = control.client(c);
    if (of.activity > staging::WriterActivity::idle) return &of;
    if (of.activity == staging::WriterActivity::idle) writer = &of;
  }
  return writer;
}

// What a message says of a node, in the order in which it is sent.
struct NodeSaid {
  bool asks = false;
  std::int64_t absent = -1;
  std::int64_t writer = -1;
  staging::WriterActivity activity = staging::WriterActivity::none;
  std::int64_t activity_age_ms = 0;
  std::int64_t storage_call_age_ms = 0;

  std::vector<std::int64_t> numbers() const {
    return {asks ? 1 : 0, absent, writer, static_cast<std::int64_t>(activity), activity_age_ms, storage_call_age_ms};
  }
  static NodeSaid of(const std::vector<std::int64_t>& numbers) {
    return {numbers[0] != 0, numbers[1], numbers[2], static_cast<staging::WriterActivity>(numbers[3]),
            numbers[4],      numbers[5]};
  }
};

}  // namespace

bool Heartbeat::somebody_waits_long(double now) const {
  for (int c = 0; c < roles_.node_size; ++c) {
    const staging::ClientState& client = control_.client(c);
    if (client.cause != staging::WaitCause::nothing && now - client.since_s > interval_s(deadline_s_)) return true;
  }
  return false;
}

void Heartbeat::beat() {
  if (!tells()) return;
  const double now = now_s();
  const double interval = interval_s(deadline_s_);
  if (now - told_s_ < interval) return;
  const bool asks = somebody_waits_long(now);
  if (asks || now - asked_s_ <= interval) send(asks, now);
}

void Heartbeat::note_storage_call() {
  const double now = now_s();
  control_.set_storage_call(now);
  if (tells() && now - told_s_ >= interval_s(deadline_s_)) send(somebody_waits_long(now), now);
}

void Heartbeat::send(bool asks, double now) {
  told_s_ = now;
  const auto age_ms = [&](double of_s) { return static_cast<std::int64_t>((now - of_s) * 1e3); };
  NodeSaid said{.asks = asks,
                .absent = absent_rank(control_, now),
                .storage_call_age_ms = age_ms(control_.last_storage_call_s())};
  if (const staging::ClientState* writer = telling_writer(control_)) {
    said.writer = writer->rank;
    said.activity = writer->activity.load();
    said.activity_age_ms = age_ms(writer->activity_since_s);
  }
  const transport::Notice notice{transport::NoticeKind::news, 0, roles_.node, said.numbers(), 0, ""};
  for (const roles::Node& node : roles_.nodes)
    if (node.leader != roles_.rank) notices_.send(node.leader, notice);
}

void Heartbeat::hear(const transport::Notice& notice) {
  const double now = now_s();
  const NodeSaid said = NodeSaid::of(notice.offsets);
  staging::NodeState& node = control_.node(static_cast<int>(notice.number));
  if (said.asks) asked_s_ = now;
  node.absent = static_cast<std::int32_t>(said.absent);
  node.writer = static_cast<std::int32_t>(said.writer);
  node.activity = said.activity;
  node.activity_since_s = said.writer < 0 ? 0.0 : now - static_cast<double>(said.activity_age_ms) * 1e-3;
  node.storage_call_s = now - static_cast<double>(said.storage_call_age_ms) * 1e-3;
  node.heard_s = now;
}

}  // namespace thalweg::health
