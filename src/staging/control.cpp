#include "staging/control.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>

namespace thalweg::staging {

namespace {

constexpr std::int64_t bytes_before_findings(int clients, int nodes, int groups) {
  const std::int64_t bytes =
      static_cast<std::int64_t>(sizeof(Control)) + clients * static_cast<std::int64_t>(sizeof(ClientState)) +
      nodes * static_cast<std::int64_t>(sizeof(NodeState)) + groups * static_cast<std::int64_t>(sizeof(GroupState));
  return (bytes + 7) / 8 * 8;
}

}  // namespace

// Memory of findings is zero as it comes, and taken from the machine when something is found.
std::int64_t Control::bytes_for(int clients, int nodes, int groups) {
  return bytes_before_findings(clients, nodes, groups) +
         static_cast<std::int64_t>(clients) * (1 + groups) * static_cast<std::int64_t>(sizeof(Finding));
}

Finding& Control::finding(int client, int subject) const {
  auto* begin = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(this));
  return reinterpret_cast<Finding*>(
      begin + bytes_before_findings(client_count_, node_count_, group_count_))[client * (1 + group_count_) + subject];
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

// Threads of a process share its memory.
bool Control::tell_once(std::atomic<std::int32_t>& told_by, int subject, thalweg_status code, const std::string& text) {
  static std::mutex of_process;
  const std::lock_guard held(of_process);
  std::int32_t nobody = told_by.load(std::memory_order_acquire);
  if (nobody != 0) return false;
  const int number = own_number();
  Finding& own = finding(number, subject);
  const std::size_t length = std::min(text.size(), Finding::text_bytes - 1);
  std::memcpy(own.text, text.data(), length);
  own.text[length] = '\0';
  own.code = static_cast<std::uint32_t>(code);
  own.pid = getpid();
  return told_by.compare_exchange_strong(nobody, number + 1, std::memory_order_acq_rel);
}

void Control::report_failure(thalweg_status code, const std::string& text) {
  if (tell_once(failed_by_, 0, code, text)) wake_all();
}

// Servers sleep on the bell, all others on the news.
void Control::wake_all() {
  tell_news();
  ring();
}

void Control::report_loss(int number, thalweg_status code, const std::string& text) {
  if (tell_once(group(number).lost_by, 1 + number, code, text)) wake_all();
}

bool Control::was_loss_reported_here(int number) const {
  const std::int32_t by = group(number).lost_by.load(std::memory_order_acquire);
  return by != 0 && finding(by - 1, 1 + number).pid == getpid();
}

Error Control::loss(int number) const {
  const std::int32_t by = group(number).lost_by.load(std::memory_order_acquire);
  if (by == 0) return {THALWEG_OK, ""};
  const Finding& found = finding(by - 1, 1 + number);
  return {static_cast<thalweg_status>(found.code), found.text};
}

void Control::report_writer_failure(const Error& error) {
  if (const int own_group = own().group; own_group >= 0) return report_loss(own_group, error.code(), error.what());
  report_failure(error.code(), error.what());
}

bool Control::has_writer_failed() {
  const int own_group = own().group;
  return has_failed() || (own_group >= 0 && is_lost(own_group));
}

void Control::throw_failure() const {
  const std::int32_t by = failed_by_.load(std::memory_order_acquire);
  if (by == 0) return;
  const Finding& found = finding(by - 1, 0);
  throw Error(static_cast<thalweg_status>(found.code), found.text);
}

bool Control::was_reported_here() const {
  const std::int32_t by = failed_by_.load(std::memory_order_acquire);
  return by != 0 && finding(by - 1, 0).pid == getpid();
}

// Processes that have not said their numbers, as in a test, are the first client.
int Control::own_number() {
  const std::int32_t pid = getpid();
  for (int c = 0; c < client_count_; ++c)
    if (client(c).pid.load(std::memory_order_relaxed) == pid) return c;
  return 0;
}

ClientState& Control::own() {
  return client(own_number());
}

void Control::set_activity(WriterActivity activity, double now_s) {
  ClientState& self = own();
  if (activity == WriterActivity::idle && self.activity.load(std::memory_order_relaxed) == activity) return;
  self.activity_since_s.store(now_s, std::memory_order_relaxed);
  self.activity.store(activity, std::memory_order_relaxed);
}

double Control::last_storage_call_s() {
  double last_s = 0.0;
  for (int c = 0; c < client_count_; ++c) last_s = std::max(last_s, client(c).storage_call_s.load());
  return last_s;
}

double Control::last_progress_s() {
  double last_s = last_storage_call_s();
  for (int c = 0; c < client_count_; ++c) last_s = std::max(last_s, client(c).activity_since_s.load());
  for (int n = 0; n < node_count_; ++n)
    last_s = std::max({last_s, node(n).activity_since_s.load(), node(n).storage_call_s.load()});
  return last_s;
}

}  // namespace thalweg::staging
