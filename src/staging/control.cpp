#include "staging/control.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <span>

namespace thalweg::staging {

std::int64_t Control::bytes_for(int clients, int nodes, int groups) {
  return static_cast<std::int64_t>(sizeof(Control)) + clients * static_cast<std::int64_t>(sizeof(ClientState)) +
         nodes * static_cast<std::int64_t>(sizeof(NodeState)) + groups * static_cast<std::int64_t>(sizeof(GroupState));
}

void Control::initialise(int clients, int nodes, int groups) {
  client_count_ = clients;
  node_count_ = nodes;
  group_count_ = groups;
  for (int c = 0; c < clients; ++c) new (&client(c)) ClientState();
  for (int n = 0; n < nodes; ++n) new (&node(n)) NodeState();
  for (int g = 0; g < groups; ++g) new (&group(g)) GroupState();
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

namespace {

// The code is stored last: who sees it sees the text.
bool tell_once(std::atomic<std::int32_t>& claimed, std::atomic<std::uint32_t>& told, std::span<char> memory,
               thalweg_status code, const std::string& text) {
  std::int32_t nobody = 0;
  if (!claimed.compare_exchange_strong(nobody, getpid(), std::memory_order_acq_rel)) return false;
  const std::size_t length = std::min(text.size(), memory.size() - 1);
  std::memcpy(memory.data(), text.data(), length);
  memory[length] = '\0';
  told.store(static_cast<std::uint32_t>(code), std::memory_order_release);
  return true;
}

}  // namespace

void Control::report_failure(thalweg_status code, const std::string& text) {
  if (tell_once(failure_claimed_, failed_, text_, code, text)) wake_all();
}

// Servers sleep on the bell, all others on the news.
void Control::wake_all() {
  tell_news();
  ring();
}

void Control::report_loss(int number, thalweg_status code, const std::string& text) {
  GroupState& of = group(number);
  if (tell_once(of.claimed, of.lost, of.text, code, text)) wake_all();
}

bool Control::was_loss_reported_here(int number) const {
  return is_lost(number) && group(number).claimed.load(std::memory_order_relaxed) == getpid();
}

Error Control::loss(int number) const {
  return {static_cast<thalweg_status>(group(number).lost.load(std::memory_order_acquire)), group(number).text};
}

void Control::report_writer_failure(thalweg_status code, const std::string& text) {
  if (const int own_group = own().group; own_group >= 0) return report_loss(own_group, code, text);
  report_failure(code, text);
}

bool Control::has_writer_failed() {
  const int own_group = own().group;
  return has_failed() || (own_group >= 0 && is_lost(own_group));
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
