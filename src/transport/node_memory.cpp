#include "transport/node_memory.hpp"

#include <unistd.h>

#include "base/error.hpp"
#include "base/thread.hpp"
#include "staging/futex.hpp"
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

void StagingSegments::map_newest(int client, int clients) {
  StagingSegment& segment = segments.back();
  const std::int64_t total = segment.memory.bytes();
  auto* made = reinterpret_cast<staging::Word*>(segment.allocated);
  const auto make_share = [&segment, made, total, client, clients] {
    const std::int64_t begin = total * client / clients;
    segment.memory.allocate(begin, total * (client + 1) / clients - begin);
    if (made->fetch_add(1) + 1 == static_cast<std::uint32_t>(clients)) staging::futex_wake_all(*made);
  };
  const auto map_all = [&segment, made, total, clients] {
    for (int tries = 0; tries < 100; ++tries) {
      const std::uint32_t seen = made->load();
      if (seen >= static_cast<std::uint32_t>(clients)) break;
      staging::futex_wait(*made, seen, 0.1);
    }
    segment.memory.map(0, total);
  };
  try {
    mapping.push_back(start_thread("that maps memory", [make_share, map_all] {
      make_share();
      map_all();
    }));
  } catch (const Error&) {
    make_share();  // others wait for it
  }
}

void StagingSegments::end_mapping() {
  for (std::thread& thread : mapping) thread.join();
  mapping.clear();
}

}  // namespace thalweg::transport
