#include "health/liveness_check.hpp"

#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::health {

LivenessCheck::LivenessCheck(const roles::Roles& roles, staging::FailureBoard& board, GroupFailures& groups,
                             WaitLoop& waits, std::unique_ptr<transport::Messenger> messenger)
    : roles_(roles), board_(board), groups_(groups), waits_(waits), messenger_(std::move(messenger)) {}

void LivenessCheck::meet() {
  ++number_;
  if (!roles_.is_client()) return answer();
  if (roles_.speaks_for_clients())
    while (missing_group() >= 0)
      unless_lost([&] {
        waits_.until_heard([&] { return missing_group() < 0; }, {staging::WaitCause::peers, -1, -1, -1},
                           "Not every server came to this collective call.\n");
      });
  waits_.for_all_of(groups_.clients());
  agree_on_losses();
}

void LivenessCheck::answer() {
  messenger_->send(roles_.first_client, transport::Packer().put(roles_.rank).put(number_).take());
  waits_.for_ranks([&] { return hear(), answered_ >= number_; });
}

int LivenessCheck::missing_group() {
  if (!roles_.speaks_for_clients()) return -1;
  hear();
  for (const roles::GroupMember& server : roles_.groups.servers())
    if (!board_.has_group_failed(server.group) && of_servers_[server.rank] < number_) return server.group;
  return -1;
}

// As the lowest client knows them.
void LivenessCheck::agree_on_losses() {
  transport::Packer packer;
  const int count = groups_.groups();
  for (int group = 0; group < count; ++group) {
    const Error loss = board_.group_failure(group);
    packer.put(board_.has_group_failed(group)).put(loss.code()).put_all(std::string(loss.what()));
  }
  const transport::Bytes bytes = transport::broadcast(groups_.clients(), 0, packer.take());
  transport::Unpacker unpacker(bytes);
  transport::Packer answer;
  answer.put(roles_.rank).put(number_);
  for (int group = 0; group < count; ++group) {
    const auto is_lost = unpacker.get<bool>();
    const auto code = unpacker.get<thalweg_status>();
    const auto text = unpacker.get_all<std::string>();
    if (is_lost) board_.report_group(group, code, text);
    groups_.agree(group, is_lost);
    answer.put(is_lost);
  }
  if (!roles_.speaks_for_clients()) return;
  const transport::Bytes text = answer.take();
  for (const roles::GroupMember& server : roles_.groups.servers()) messenger_->send(server.rank, text);
}

void LivenessCheck::hear() {
  while (const auto bytes = messenger_->receive()) {
    transport::Unpacker unpacker(*bytes);
    const int rank = unpacker.get<int>();
    const auto number = unpacker.get<std::int64_t>();
    if (roles_.is_client()) {
      of_servers_[rank] = number;
      continue;
    }
    answered_ = number;
    for (int group = 0; group < groups_.groups(); ++group) groups_.agree(group, unpacker.get<bool>());
  }
}

}  // namespace thalweg::health
