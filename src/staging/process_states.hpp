// What each process of a node says of itself, and what was heard of other nodes: for the patience of those who wait,
// and for their reports. A view on shared memory; every process of the node holds one.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "staging/call_name.hpp"
#include "staging/step_times.hpp"

namespace thalweg::staging {

enum class WaitCause : std::uint32_t { nothing, block, send, commit, peers, orders };

enum class WriterActivity : std::uint32_t { none, idle, write, commit, sync, publish, pause };

struct ClientState {
  std::atomic<std::int32_t> rank{-1};
  std::atomic<std::int32_t> pid{0};
  std::atomic<bool> is_server{false};
  std::atomic<std::int32_t> group{-1};  // of a server, where a group may fail without the others
  std::atomic<WaitCause> cause{WaitCause::nothing};
  std::atomic<std::int32_t> collection{-1};
  std::atomic<std::int32_t> variable{-1};
  std::atomic<std::int64_t> record{-1};
  std::atomic<double> seen_s{0.0};   // when it last looked for what it waits for, or for commands
  std::atomic<double> since_s{0.0};  // that it waits or, of a server between commands, when it last looked for one
  std::atomic<std::int64_t> bytes_to_write{0};  // of blocks that are on their way to the writer in its process
  // Of the writer in its process; none: it has none.
  std::atomic<WriterActivity> activity{WriterActivity::none};
  std::atomic<double> activity_since_s{0.0};
  std::atomic<double> storage_call_s{0.0};  // when it last began one itself, for a file that it makes
  StepTimes steps;

  // It computes, as far as Thalweg knows, or has not looked for what it waits for or, as a server, for commands: this
  // it does several times a second.
  bool is_absent(double now) const {
    if (cause == WaitCause::nothing) return !is_server || now - since_s > patience_s;
    return is_silent(now);
  }
  // It waits, and was stopped meanwhile, or is in a call that takes long.
  bool is_silent(double now) const { return cause != WaitCause::nothing && now - seen_s > patience_s; }

  static constexpr double patience_s = 1.0;
};

// Between two tellings of a node of which somebody waits long, or that is asked (health/heartbeat.hpp).
inline double heartbeat_interval_s(double deadline_s) {
  return std::min(deadline_s * 0.125, 10.0);
}

// What another node has told lately (health/heartbeat.hpp), by the clock of this one.
struct NodeState {
  std::atomic<std::int32_t> leader{-1};
  std::atomic<double> heard_s{0.0};       // 0: never
  std::atomic<std::int32_t> absent{-1};   // its lowest rank that is; -1: none
  std::atomic<std::int32_t> waiting{-1};  // a rank that waits, the one that has done so for longest; -1: none
  CallName call;                          // in which it does
  std::atomic<std::int32_t> writer{-1};   // a rank that writes, one at work if there is one; -1: none
  std::atomic<WriterActivity> activity{WriterActivity::none};
  std::atomic<double> activity_since_s{0.0};
  std::atomic<double> storage_call_s{0.0};

  // What its ranks waited in then they may have left long ago: who tells for it, or hears here, does not.
  bool is_silent(double now, double deadline_s) const {
    return now - heard_s > std::max(2 * heartbeat_interval_s(deadline_s), ClientState::patience_s);
  }
};

class ProcessStates {
 public:
  static std::int64_t bytes_for(int clients, int nodes);
  // memory: bytes_for(clients, nodes), aligned to 8 bytes.
  ProcessStates(int clients, int nodes, std::byte* memory);
  // By one process, before any use.
  void initialise();

  int client_count() const { return client_count_; }
  ClientState& client(int number) const { return clients_[number]; }
  // All of the session; the own one says nothing.
  int node_count() const { return node_count_; }
  NodeState& node(int number) const { return nodes_[number]; }

  // The collective call that a client is in.
  CallName& call(int client) const { return calls_[client]; }

  // Of this process.
  int own_number() const;
  ClientState& own() const { return client(own_number()); }

  // The writer of this process has less to write.
  void wrote(std::int64_t bytes) { own().bytes_to_write.fetch_sub(bytes, std::memory_order_relaxed); }
  // What the writer of this process does.
  void set_activity(WriterActivity activity, double now_s);
  // This process makes a file itself; when one of this node last began a call for that.
  void set_storage_call(double now_s) { own().storage_call_s.store(now_s, std::memory_order_relaxed); }
  double last_storage_call_s() const;
  // When a writer, of this node or another one, or who makes a file, was last known to go on to something else.
  double last_progress_s() const;

 private:
  int client_count_;
  int node_count_;
  ClientState* clients_;
  NodeState* nodes_;
  CallName* calls_;
};

}  // namespace thalweg::staging
