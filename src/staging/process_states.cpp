#include "staging/process_states.hpp"

#include <unistd.h>

#include <algorithm>
#include <new>

namespace thalweg::staging {

std::int64_t ProcessStates::bytes_for(int clients, int nodes) {
  return clients * static_cast<std::int64_t>(sizeof(ClientState) + sizeof(CallName)) +
         nodes * static_cast<std::int64_t>(sizeof(NodeState));
}

ProcessStates::ProcessStates(int clients, int nodes, std::byte* memory)
    : client_count_(clients),
      node_count_(nodes),
      clients_(reinterpret_cast<ClientState*>(memory)),
      nodes_(reinterpret_cast<NodeState*>(clients_ + clients)),
      calls_(reinterpret_cast<CallName*>(nodes_ + nodes)) {}

void ProcessStates::initialise() {
  for (int c = 0; c < client_count_; ++c) new (&client(c)) ClientState();
  for (int c = 0; c < client_count_; ++c) new (&call(c)) CallName();
  for (int n = 0; n < node_count_; ++n) new (&node(n)) NodeState();
}

// Processes that have not said their numbers, as in a test, are the first client.
int ProcessStates::own_number() const {
  const std::int32_t pid = getpid();
  for (int c = 0; c < client_count_; ++c)
    if (client(c).pid.load(std::memory_order_relaxed) == pid) return c;
  return 0;
}

void ProcessStates::set_activity(WriterActivity activity, double now_s) {
  ClientState& self = own();
  if (activity == WriterActivity::idle && self.activity.load(std::memory_order_relaxed) == activity) return;
  self.activity_since_s.store(now_s, std::memory_order_relaxed);
  self.activity.store(activity, std::memory_order_relaxed);
}

double ProcessStates::last_storage_call_s() const {
  double last_s = 0.0;
  for (int c = 0; c < client_count_; ++c) last_s = std::max(last_s, client(c).storage_call_s.load());
  return last_s;
}

double ProcessStates::last_progress_s() const {
  double last_s = last_storage_call_s();
  for (int c = 0; c < client_count_; ++c) last_s = std::max(last_s, client(c).activity_since_s.load());
  for (int n = 0; n < node_count_; ++n)
    last_s = std::max({last_s, node(n).activity_since_s.load(), node(n).storage_call_s.load()});
  return last_s;
}

}  // namespace thalweg::staging
