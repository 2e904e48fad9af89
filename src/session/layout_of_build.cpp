#include "session/layout_of_build.hpp"

#include <bit>

#include "base/fingerprint.hpp"
#include "files/messages.hpp"
#include "health/messages.hpp"
#include "session/commands.hpp"
#include "staging/block_ring.hpp"
#include "staging/failure_board.hpp"
#include "staging/process_states.hpp"
#include "staging/ready_queue.hpp"
#include "staging/record_assignment.hpp"
#include "staging/shared_memory.hpp"
#include "staging/wake_ups.hpp"

namespace thalweg::session {

std::uint64_t layout_of_build() {
  Fingerprint layout;
  transport::add_layout<commands::Command>(layout);
  transport::add_layout<files::messages::Message>(layout);
  transport::add_layout<health::Message>(layout);
  for (const std::size_t size : {sizeof(staging::WakeUps), sizeof(staging::ClientState), sizeof(staging::NodeState),
                                 sizeof(staging::Finding), sizeof(staging::BlockState), sizeof(staging::RingProgress),
                                 sizeof(staging::Ticket), sizeof(std::size_t), sizeof(Index)})
    layout.add(size);
  for (const std::int64_t bytes : {staging::RecordAssignment::bytes_for(3), staging::ReadyQueue::bytes_for(3)})
    layout.add(static_cast<std::uint64_t>(bytes));
  layout.add(std::endian::native == std::endian::little ? 1 : 2);
  return layout.value();
}

}  // namespace thalweg::session
