#include "staging/control.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace thalweg::staging {

std::int64_t Control::bytes_for(int clients) {
  return static_cast<std::int64_t>(sizeof(Control)) + clients * static_cast<std::int64_t>(sizeof(ClientState));
}

void Control::initialise(int clients) {
  client_count_ = clients;
  for (int c = 0; c < clients; ++c) new (&client(c)) ClientState();
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

void Control::report_failure(thalweg_status code, const std::string& text) {
  if (failure_claimed_.exchange(1, std::memory_order_acq_rel) != 0) return;
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

}  // namespace thalweg::staging
