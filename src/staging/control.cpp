#include "staging/control.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace thalweg::staging {

std::int64_t Control::bytes_for(int clients, int nodes) {
  return static_cast<std::int64_t>(sizeof(Control)) + clients * static_cast<std::int64_t>(sizeof(ClientState)) +
         nodes * static_cast<std::int64_t>(sizeof(NodeState));
}

void Control::initialise(int clients, int nodes) {
  client_count_ = clients;
  node_count_ = nodes;
  for (int c = 0; c < clients; ++c) new (&client(c)) ClientState();
  for (int n = 0; n < nodes; ++n) new (&node(n)) NodeState();
}

// The writer says that it sleeps before it looks at the bell for the last time, and the ringer looks for sleepers after
// it rang: with sequentially consistent order one of the two sees the other.
void Control::ring() {
  bell_.fetch_add(1, std::memory_order_seq_cst);
  if (asleep_.load(std::memory_order_seq_cst) != 0) futex_wake_all(bell_);
}

void Control::sleep_until_rung(std::uint32_t seen, double timeout_s) {
  listen_to_bell(true);
  if (bell_.load(std::memory_order_seq_cst) == seen) futex_wait(bell_, seen, timeout_s);
  listen_to_bell(false);
}

void Control::listen_to_bell(bool listens) {
  if (listens)
    asleep_.fetch_add(1, std::memory_order_seq_cst);
  else
    asleep_.fetch_sub(1, std::memory_order_seq_cst);
}

void Control::tell_news() {
  news_.fetch_add(1, std::memory_order_seq_cst);
  futex_wake_all(news_);
}

void Control::want_block(bool wants) {
  if (!wants) {
    want_.fetch_sub(1, std::memory_order_seq_cst);
  } else if (want_.fetch_add(1, std::memory_order_seq_cst) == 0) {
    futex_wake_all(want_);
  }
}

void Control::report_failure(thalweg_status code, const std::string& text) {
  std::int32_t nobody = 0;
  if (!failure_claimed_.compare_exchange_strong(nobody, getpid(), std::memory_order_acq_rel)) return;
  const std::size_t length = std::min(text.size(), text_bytes - 1);
  std::memcpy(text_, text.data(), length);
  text_[length] = '\0';
  failed_.store(static_cast<std::uint32_t>(code), std::memory_order_release);
  tell_news();
}

void Control::throw_failure() const {
  const std::uint32_t code = failed_.load(std::memory_order_acquire);
  if (code != 0) throw Error(static_cast<thalweg_status>(code), text_);
}

bool Control::was_reported_here() const {
  return has_failed() && failure_claimed_.load(std::memory_order_relaxed) == getpid();
}

// Processes that have not said their numbers, as in a test, are the first client.
ClientState& Control::own() {
  const std::int32_t pid = getpid();
  for (int c = 0; c < client_count_; ++c)
    if (client(c).pid.load(std::memory_order_relaxed) == pid) return client(c);
  return client(0);
}

void Control::set_activity(WriterActivity activity, double now_s) {
  ClientState& self = own();
  if (activity == WriterActivity::idle && self.activity.load(std::memory_order_relaxed) == activity) return;
  self.activity_since_s.store(now_s, std::memory_order_relaxed);
  self.activity.store(activity, std::memory_order_relaxed);
}

double Control::last_progress_s() {
  double last_s = 0.0;
  for (int c = 0; c < client_count_; ++c) last_s = std::max(last_s, client(c).activity_since_s.load());
  for (int n = 0; n < node_count_; ++n) last_s = std::max(last_s, node(n).activity_since_s.load());
  return last_s;
}

}  // namespace thalweg::staging
