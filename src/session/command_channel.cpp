#include "session/command_channel.hpp"

#include <utility>

#include "base/seconds.hpp"
#include "transport/collective.hpp"

namespace thalweg::session {

CommandChannel::CommandChannel(const roles::Roles& roles, staging::WakeUps& wake_ups,
                               const staging::FailureBoard& failures, health::WaitLoop& waits,
                               profile::ClientCounters& counters, std::unique_ptr<transport::Messenger> messenger)
    : roles_(roles),
      wake_ups_(wake_ups),
      failures_(failures),
      waits_(waits),
      counters_(counters),
      messenger_(std::move(messenger)) {}

void CommandChannel::tell(const commands::Command& command) {
  if (!roles_.has_servers() || !roles_.speaks_for_clients()) return;
  const transport::Bytes bytes = transport::pack(command);
  const bool is_last =
      std::holds_alternative<commands::Finish>(command) || std::holds_alternative<commands::Abandon>(command);
  if (!is_last) wait_for_servers_to_hear();
  for (const roles::GroupMember& server : roles_.groups.servers())
    if (is_last || !failures_.has_group_failed(server.group)) messenger_->send(server.rank, bytes);
  messenger_->is_idle();  // lets go of those that have left
  wake_ups_.ring();
}

// A model that never waits, with steps that close no record, would be ahead of servers by ever more commands, which the
// MPI library keeps. A server that is behind needs nothing of this rank but what is under way already, and pieces and
// messages go on meanwhile.
void CommandChannel::wait_for_servers_to_hear() {
  if (messenger_->full_receiver() < 0) return;
  const Timer timer(counters_.wait_send_s);
  while (messenger_->full_receiver() >= 0)
    health::unless_lost([&] {
      waits_.until_heard([&] { return messenger_->full_receiver() < 0; }, {staging::WaitCause::orders, -1, -1, -1},
                         [&] {
                           return fmt::format("Rank {}, a server, is more than {} orders behind and takes no more.\n",
                                              messenger_->full_receiver(), commands::window);
                         });
    });
}

void CommandChannel::abandon(const std::string& why) {
  constexpr double patience_s = 1.0;
  if (std::exchange(has_ended_, true)) return;
  tell(commands::Abandon{why});
  transport::see_off(*messenger_, roles_.messages, patience_s);
}

}  // namespace thalweg::session
