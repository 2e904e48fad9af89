// What the processes of a node tell each other beside the blocks: the writer's bell, the first failure, and what each
// client waits for. Lives in shared memory; lock-free.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "staging/futex.hpp"

namespace thalweg::staging {

enum class WaitCause : std::uint32_t { nothing, block, send, commit, peers };

struct ClientState {
  std::atomic<std::int32_t> rank{-1};
  std::atomic<std::int32_t> pid{0};
  std::atomic<bool> is_server{false};
  std::atomic<WaitCause> cause{WaitCause::nothing};
  std::atomic<std::int32_t> collection{-1};
  std::atomic<std::int32_t> variable{-1};
  std::atomic<std::int64_t> record{-1};
  std::atomic<double> since_s{0.0};
};

enum class WriterActivity : std::uint32_t { idle, write, commit, sync, publish };

class Control {
 public:
  static std::int64_t bytes_for(int clients);

  // By the leader, after it has constructed this at the beginning of bytes_for(clients) of shared memory.
  void initialise(int clients);
  int client_count() const { return client_count_; }
  ClientState& client(int number) { return clients()[number]; }

  // ---- bell: whoever has something for the writer rings it; the writer sleeps on it.
  void ring();
  std::uint32_t bell() const { return bell_.load(std::memory_order_acquire); }
  // For a writer that is stepped and sleeps on bell_word() itself.
  void listen_to_bell(bool listens);
  Word& bell_word() { return bell_; }
  void sleep_until_rung(std::uint32_t seen, double timeout_s);  // returns at once if it was rung since `seen`

  // ---- news: bumped by the writer when records were committed or files published; clients sleep on it.
  Word& news() { return news_; }
  void tell_news();

  // ---- failure: the first one counts.
  void report_failure(thalweg_status code, const std::string& text);
  bool has_failed() const { return failed_.load(std::memory_order_acquire) != 0; }
  void throw_failure() const;  // throws the reported one, if there is one

  void set_activity(WriterActivity activity, double now_s) {
    activity_since_s_.store(now_s, std::memory_order_relaxed);
    activity_.store(activity, std::memory_order_relaxed);
  }
  WriterActivity activity() const { return activity_.load(std::memory_order_relaxed); }
  double activity_since_s() const { return activity_since_s_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t text_bytes = 4096;
  ClientState* clients() { return reinterpret_cast<ClientState*>(this + 1); }

  Word bell_{0};
  std::atomic<std::uint32_t> asleep_{0};  // how many sleep on the bell
  Word news_{0};
  std::atomic<std::uint32_t> failure_claimed_{0};
  std::atomic<std::uint32_t> failed_{0};
  std::atomic<WriterActivity> activity_{WriterActivity::idle};
  std::atomic<double> activity_since_s_{0.0};
  std::int32_t client_count_ = 0;
  char text_[text_bytes] = {};
};

}  // namespace thalweg::staging
