// What the processes of a node tell each other beside the blocks: the writer's bell, the first failure, and what each
// client waits for. Lives in shared memory; lock-free.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "staging/futex.hpp"
#include "staging/step_times.hpp"

namespace thalweg::staging {

enum class WaitCause : std::uint32_t { nothing, block, send, commit, peers, orders };

enum class WriterActivity : std::uint32_t { none, idle, write, commit, sync, publish, pause };

struct ClientState {
  std::atomic<std::int32_t> rank{-1};
  std::atomic<std::int32_t> pid{0};
  std::atomic<bool> is_server{false};
  std::atomic<std::int32_t> group{-1};  // of a server, where a group may be lost without the others
  std::atomic<WaitCause> cause{WaitCause::nothing};
  std::atomic<std::int32_t> collection{-1};
  std::atomic<std::int32_t> variable{-1};
  std::atomic<std::int64_t> record{-1};
  std::atomic<double> seen_s{0.0};   // when it last looked for what it waits for, or for orders
  std::atomic<double> since_s{0.0};  // that it waits or, of a server between orders, when it last looked for one
  std::atomic<std::int64_t> bytes_to_write{0};  // of blocks that are on their way to the writer in its process
  // Of the writer in its process; none: it has none.
  std::atomic<WriterActivity> activity{WriterActivity::none};
  std::atomic<double> activity_since_s{0.0};
  std::atomic<double> storage_call_s{0.0};  // when it last began one itself, for a file that it makes
  StepTimes steps;

  // It computes, as far as Thalweg knows, or is a server that has not looked for orders, which it does several times a
  // second.
  bool is_absent(double now) const {
    constexpr double patience_s = 1.0;
    return cause == WaitCause::nothing && (!is_server || now - since_s > patience_s);
  }
};

// What another node has told lately (health/heartbeat.hpp), by the clock of this one.
struct NodeState {
  std::atomic<std::int32_t> leader{-1};
  std::atomic<double> heard_s{0.0};      // 0: never
  std::atomic<std::int32_t> absent{-1};  // its lowest rank that is; -1: none
  std::atomic<std::int32_t> writer{-1};  // a rank that writes, one at work if there is one; -1: none
  std::atomic<WriterActivity> activity{WriterActivity::none};
  std::atomic<double> activity_since_s{0.0};
  std::atomic<double> storage_call_s{0.0};
};

// A group of servers that failed, which the others outlive.
struct GroupState {
  std::atomic<std::int32_t> lost_by{0};  // as Control::failed_by_
};

// What a process has found, of the whole session or of a group. Everybody writes into memory of his own before he says
// so: whoever dies meanwhile has said nothing, and keeps nobody from it.
struct Finding {
  static constexpr std::size_t text_bytes = 4080;
  std::int32_t pid = 0;
  std::uint32_t code = 0;
  char text[text_bytes] = {};
};

// What clients, nodes and groups tell, and find, lies behind it, so it ends where they can begin.
class alignas(8) Control {
 public:
  static std::int64_t bytes_for(int clients, int nodes = 0, int groups = 0);

  // By the leader, after it has constructed this at the beginning of bytes_for(clients, nodes, groups) of shared
  // memory.
  void initialise(int clients, int nodes = 0, int groups = 0);
  int client_count() const { return client_count_; }
  ClientState& client(int number) { return clients()[number]; }
  // All of the session; the own one says nothing.
  int node_count() const { return node_count_; }
  NodeState& node(int number) { return reinterpret_cast<NodeState*>(clients() + client_count_)[number]; }

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

  // ---- want: how many wait for a free block; who can make some free sleeps on it while there is none.
  Word& want() { return want_; }
  void want_block(bool wants);

  // ---- failure: the first one counts.
  void report_failure(thalweg_status code, const std::string& text);
  bool has_failed() const { return failed_by_.load(std::memory_order_acquire) != 0; }
  void throw_failure() const;      // throws the reported one, if there is one
  bool was_reported_here() const;  // the failure is of this process

  // ---- losses: failures that end a group of servers and its collections only; of each group the first one counts.
  int group_count() const { return group_count_; }
  void report_loss(int group, thalweg_status code, const std::string& text);
  bool is_lost(int group) const { return group < group_count_ && this->group(group).lost_by.load() != 0; }
  bool was_loss_reported_here(int group) const;
  Error loss(int group) const;  // the reported one; THALWEG_OK: there is none

  // A failure of the writer of this process: of its group, or of all.
  void report_writer_failure(const Error& error);
  bool has_writer_failed();

  // The writer of this process has less to write.
  void wrote(std::int64_t bytes) { own().bytes_to_write.fetch_sub(bytes, std::memory_order_relaxed); }

  // What the writer of this process does.
  void set_activity(WriterActivity activity, double now_s);
  // This process makes a file itself; when one of this node last began a call for that.
  void set_storage_call(double now_s) { own().storage_call_s.store(now_s, std::memory_order_relaxed); }
  double last_storage_call_s();
  // When a writer, of this node or another one, or who makes a file, was last known to go on to something else.
  double last_progress_s();

 private:
  ClientState* clients() { return reinterpret_cast<ClientState*>(this + 1); }
  GroupState& group(int number) const {
    auto* first = const_cast<ClientState*>(reinterpret_cast<const ClientState*>(this + 1)) + client_count_;
    return reinterpret_cast<GroupState*>(reinterpret_cast<NodeState*>(first) + node_count_)[number];
  }
  // subject: 0: the session, from 1 on the groups.
  Finding& finding(int client, int subject) const;
  // Whether it was the first.
  bool tell_once(std::atomic<std::int32_t>& told_by, int subject, thalweg_status code, const std::string& text);
  int own_number();
  ClientState& own();
  void wake_all();

  Word bell_{0};
  std::atomic<std::uint32_t> asleep_{0};  // how many sleep on the bell
  Word news_{0};
  Word want_{0};
  std::atomic<std::int32_t> failed_by_{0};  // 0: nobody has told of a failure; else the client's number and 1
  std::int32_t client_count_ = 0;
  std::int32_t node_count_ = 0;
  std::int32_t group_count_ = 0;
};

}  // namespace thalweg::staging
