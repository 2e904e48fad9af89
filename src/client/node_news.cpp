// Session: what nodes tell each other while somebody waits long, for his report and for his patience. A leader whose
// node has such a rank asks all others; those that are in a call, as servers always are, answer.
#include <algorithm>

#include "base/clock.hpp"
#include "client/session.hpp"

namespace thalweg::client {
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

}  // namespace

bool Session::somebody_waits_long(double now) const {
  for (int c = 0; c < roles_->node_size; ++c) {
    const staging::ClientState& client = control_->client(c);
    if (client.cause != staging::WaitCause::nothing && now - client.since_s > interval_s(settings_.deadline_s))
      return true;
  }
  return false;
}

void Session::tell_news() {
  if (!roles_->leads_node() || roles_->node_count == 1) return;
  const double now = now_s();
  const double interval = interval_s(settings_.deadline_s);
  if (now - told_news_s_ < interval) return;
  const bool asks = somebody_waits_long(now);
  if (asks || now - asked_for_news_s_ <= interval) send_news(asks, now);
}

// Who makes a file hears nobody ask meanwhile, so it tells without.
void Session::note_storage_call() {
  const double now = now_s();
  control_->set_storage_call(now);
  if (!roles_->leads_node() || roles_->node_count == 1) return;
  if (now - told_news_s_ >= interval_s(settings_.deadline_s)) send_news(somebody_waits_long(now), now);
}

void Session::send_news(bool asks, double now) {
  told_news_s_ = now;
  const auto age_ms = [&](double of_s) { return static_cast<std::int64_t>((now - of_s) * 1e3); };
  transport::Notice notice{
      transport::NoticeKind::news,
      0,
      roles_->node,
      {asks ? 1 : 0, absent_rank(*control_, now), -1, 0, 0, age_ms(control_->last_storage_call_s())},
      0,
      ""};
  if (const staging::ClientState* writer = telling_writer(*control_)) {
    notice.offsets[2] = writer->rank;
    notice.offsets[3] = static_cast<std::int64_t>(writer->activity.load());
    notice.offsets[4] = age_ms(writer->activity_since_s);
  }
  for (const roles::Node& node : roles_->nodes)
    if (node.leader != roles_->rank) notices_.send(node.leader, notice);
}

void Session::hear_news(const transport::Notice& notice) {
  const double now = now_s();
  staging::NodeState& node = control_->node(static_cast<int>(notice.number));
  if (notice.offsets[0] != 0) asked_for_news_s_ = now;
  node.absent = static_cast<std::int32_t>(notice.offsets[1]);
  node.writer = static_cast<std::int32_t>(notice.offsets[2]);
  node.activity = static_cast<staging::WriterActivity>(notice.offsets[3]);
  node.activity_since_s = notice.offsets[2] < 0 ? 0.0 : now - static_cast<double>(notice.offsets[4]) * 1e-3;
  node.storage_call_s = now - static_cast<double>(notice.offsets[5]) * 1e-3;
  node.heard_s = now;
}

}  // namespace thalweg::client
