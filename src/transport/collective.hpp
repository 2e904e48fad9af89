// Small collective helpers, so that only this layer speaks MPI.
#pragma once

#include <exception>
#include <optional>
#include <string>

#include "roles/counted_call.hpp"
#include "roles/left_communicators.hpp"
#include "roles/meeting.hpp"
#include "roles/roles.hpp"
#include "staging/shared_memory.hpp"
#include "transport/agreement.hpp"
#include "transport/messenger.hpp"

namespace thalweg::transport {

// What the leader of this node makes and the other ranks find by its ticket. Collective over the node and over those
// who hear of an error, to whom it belongs.
template <typename Make, typename Find>
auto share_on_node(const roles::Roles& roles, const roles::Circle& hear_of_errors, const Make& make, const Find& find) {
  decltype(make()) shared;
  std::optional<decltype(shared.ticket())> ticket;  // none: it could not be made
  std::exception_ptr thrown;
  if (roles.leads_node()) try {
      shared = make();
      ticket = shared.ticket();
    } catch (...) {
      thrown = std::current_exception();
    }
  roles::broadcast_value(roles.local, 0, ticket);
  together(hear_of_errors, [&] {
    if (thrown) std::rethrow_exception(thrown);
    if (!roles.leads_node() && ticket) shared = find(*ticket);
  });
  return shared;
}

// Memory shared by the ranks of this node, made by its leader. Collective over the node. Errors: MEMORY, on all.
staging::SharedMemory share_memory(const roles::Roles& roles, std::int64_t bytes,
                                   const char* name = staging::SharedMemory::usual_name);

void barrier(const roles::Circle& circle);

// Lets the MPI library move what is under way; some do so in calls only.
void make_progress(MPI_Comm comm);

// What was sent leaves before this rank goes on, or is not waited for any longer than that. comm: whose messages they
// are.
void see_off(Messenger& messenger, MPI_Comm comm, double patience_s);

// A barrier that is looked at, not waited in.
class PendingBarrier {
 public:
  explicit PendingBarrier(MPI_Comm comm) : comm_(comm) { roles::barrier_counted(comm, &request_); }
  ~PendingBarrier() {
    if (!is_done()) roles::leave(comm_);
  }
  PendingBarrier(const PendingBarrier&) = delete;
  PendingBarrier& operator=(const PendingBarrier&) = delete;
  bool is_done() {
    int finished = 0;
    MPI_Test(&request_, &finished, MPI_STATUS_IGNORE);
    return finished != 0;
  }

 private:
  MPI_Comm comm_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

std::int64_t sum(const roles::Circle& circle, std::int64_t value);
bool all_true(const roles::Circle& circle, bool value);
// The largest, or the sum, of each place, over all ranks.
void maximum(const roles::Circle& circle, std::vector<std::int64_t>& values);
void sum(const roles::Circle& circle, std::vector<std::int64_t>& values);

// Offset of this rank's part when the ranks' parts lie one after another. Collective.
std::int64_t offset_in_order(const roles::Circle& circle, std::int64_t bytes);

// The values of root on every rank, which knows how many they are.
void broadcast_values(const roles::Circle& circle, int root, std::vector<std::int64_t>& values);

// Every rank's text at rank 0, in order of ranks. Collective.
std::vector<std::string> gather_texts(const roles::Circle& circle, const std::string& text);

// Numbers of the processors that the ranks of this node may run on, together; with servers on it, those of the servers.
// Collective over the node.
std::vector<int> processors_of_node(const roles::Roles& roles);

}  // namespace thalweg::transport
