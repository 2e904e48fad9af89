#include "transport/node_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/thread.hpp"
#include "roles/meeting.hpp"
#include "staging/staging_pool.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::transport {

ControlSegment::ControlSegment(const roles::Roles& roles, int groups) {
  transport::together(roles.world, [&] {
    memory = transport::share_memory(roles, staging::Control::bytes_for(roles.node_size, roles.node_count, groups));
  });
  control.emplace(memory.data(), roles.node_size, roles.node_count, groups);
  if (roles.leads_node()) {
    control->initialise();
    for (int n = 0; n < roles.node_count; ++n)
      if (n != roles.node) control->processes.node(n).leader = roles.nodes[static_cast<std::size_t>(n)].leader;
  }
  transport::barrier(roles.local);
  staging::ClientState& self = control->processes.client(roles.node_rank);
  self.rank = roles.rank;
  self.pid = getpid();
  self.is_server = !roles.is_client();
  self.group = groups > 0 && self.is_server ? roles.self.group : -1;
  transport::barrier(roles.local);
}

void StagingSegments::add(const roles::Roles& roles, std::int64_t wanted_bytes, std::int64_t most_bytes) {
  staging::StagingPool& pool = staging::StagingPool::of_process();
  segments.push_back(share_on_node(
      roles, roles.world,
      [&] {
        return folder.empty() ? pool.take(wanted_bytes, roles.node_size, most_bytes)
                              : staging::StagingMemory::create_in(folder, wanted_bytes, roles.node_size);
      },
      [&](const staging::StagingTicket& ticket) { return pool.take(ticket, most_bytes); }));
}

bool StagingSegments::add_burst(const roles::Roles& roles, std::int64_t wanted_bytes) {
  if (!folder.empty()) return false;
  try {
    bursts.push_back(
        {share_memory(roles, wanted_bytes, "thalweg-burst"), std::make_unique<PromisedBytes>(wanted_bytes), {}});
  } catch (const Error& error) {
    if (error.code() != THALWEG_ERROR_MEMORY) throw;
    log::debug("rank {}: no memory for bursts: {}", roles.rank, error.what());
    return false;
  }
  burst_bytes += wanted_bytes;
  return true;
}

void StagingSegments::shrink_bursts(const roles::Roles& roles, std::int64_t wanted_bytes) {
  std::int64_t withdrawn = 0;
  if (roles.leads_node())
    for (const BurstMemory& burst : bursts)
      for (const staging::BlockRing& ring : burst.rings)
        withdrawn += ring.withdraw_burst_rooms(wanted_bytes - withdrawn, [&](std::byte* room) {
          burst.memory.remove(room - burst.memory.data(), ring.shape().slot_bytes);
        });
  roles::broadcast_value(roles.local, 0, withdrawn);
  burst_bytes -= withdrawn;
}

void StagingSegments::map_newest(int client, int clients) {
  staging::StagingMemory& memory = segments.back();
  if (memory.is_mapped() || !folder.empty()) return;
  try {
    mapping.push_back(start_thread("that maps memory", [&memory, client, clients] {
      memory.make_share(client, clients);
      memory.map_all(clients);
    }));
  } catch (const Error&) {
    memory.make_share(client, clients);  // others wait for it
  }
}

void StagingSegments::end_mapping() {
  for (std::thread& thread : mapping) thread.join();
  mapping.clear();
}

// One that is not mapped, because the definitions ended with an error, would keep the next session waiting.
void StagingSegments::give_back(std::int64_t most_bytes) {
  std::int64_t own_bytes = 0;
  for (const staging::StagingMemory& memory : segments) own_bytes += memory.bytes();
  for (staging::StagingMemory& memory : segments)
    if (memory.is_mapped())
      staging::StagingPool::of_process().give_back(std::move(memory), std::max(most_bytes, own_bytes));
  segments.clear();
}

}  // namespace thalweg::transport
