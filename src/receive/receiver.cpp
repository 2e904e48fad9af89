#include "receive/receiver.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace thalweg::receive {

void Receiver::add(Inboxes& inboxes, const block::ReceivePlan& plan, bool has_record, transport::Communicator comm) {
  const auto owner = static_cast<int>(places_.size());
  places_.push_back({&inboxes, inboxes.all.size()});
  const block::MessagePlan& message = plan.message;
  transport::ReceiveChannel channel(arrivals_, owner, comm, message.peer, message.tag, message.memory, message.bytes);
  inboxes.all.push_back({plan.variable, has_record, std::move(channel), plan.pieces});
}

void Receiver::take() {
  const bool wants = take_what_came();
  if (wants == std::exchange(wants_block_, wants)) return;
  if (wants)
    wake_ups_.begin_block_wait();
  else
    wake_ups_.end_block_wait();
}

// True if something that is in waits for a block.
bool Receiver::take_what_came() {
  for (const int number : arrivals_.look())
    if (!std::exchange(places_[static_cast<std::size_t>(number)].inbox().is_full, true)) full_.push_back(number);
  bool needs_block = false;
  std::erase_if(full_, [&](int number) {
    const Taking last = take_messages(places_[static_cast<std::size_t>(number)]);
    if (last == Taking::early) early_.push_back(number);
    needs_block |= last == Taking::needs_block;
    return last != Taking::needs_block;
  });
  return needs_block;
}

void Receiver::look_at_early_pieces() {
  full_.insert(full_.end(), early_.begin(), early_.end());
  early_.clear();
}

// All that is in, up to one that cannot be taken yet.
Receiver::Taking Receiver::take_messages(const Place& place) {
  Inbox& inbox = place.inbox();
  while (const std::byte* message = inbox.channel.arrived()) {
    const Taking taking = take_message(*place.of, inbox, message);
    if (taking != Taking::taken) return taking;
  }
  inbox.is_full = false;
  return Taking::taken;
}

// A message is taken when this rank knows where its moment lies in the file and all its blocks are open for it.
Receiver::Taking Receiver::take_message(const Inboxes& of, Inbox& inbox, const std::byte* message) {
  if (!of.is_open || groups_.is_given_up(of.identity.number)) return Taking::early;
  const Taking taking = inbox.has_record ? take_record(of, inbox, message) : take_fixed(of, inbox, message);
  if (taking != Taking::taken) return taking;
  inbox.channel.take_next();
  ++received_;
  return Taking::taken;
}

Receiver::Taking Receiver::take_record(const Inboxes& of, const Inbox& inbox, const std::byte* message) {
  block::Moment moment{inbox.channel.next_record(), 0};
  const std::optional<std::int64_t> index = of.index_in_file(moment.number);
  if (!index) return Taking::early;
  moment.index_in_file = *index;
  const auto is_closed = [&](const block::ReceivedPiece& piece) {
    return !arrival_.takes_pieces(of.blocks, piece.block, moment.number);
  };
  const auto closed = std::ranges::find_if(inbox.pieces, is_closed);
  if (closed != inbox.pieces.end()) {
    of.blocks.ask_for_room(closed->block, moment.number);
    return Taking::needs_block;
  }
  copy_pieces(of, inbox, message, moment, [&](const block::ReceivedPiece& piece, std::uint64_t checksum) {
    arrival_.count(of.blocks, piece.block, moment.number, piece.pieces, piece.expected, checksum);
  });
  return Taking::taken;
}

// Values that were put anew are for the next file that is to be settled; a message without any says that it is.
Receiver::Taking Receiver::take_fixed(const Inboxes& of, Inbox& inbox, const std::byte* message) {
  if (inbox.channel.is_nothing()) {
    ++inbox.settled_files;
    of.blocks.settle(process_, staging::SettledFiles::By::receipts, of.settled_files());
    wake_ups_.ring();
    return Taking::taken;
  }
  const block::Moment moment = block::Moment::fixed();
  if (inbox.sums.empty()) {
    copy_pieces(of, inbox, message, moment, [&](const block::ReceivedPiece& piece, std::uint64_t checksum) {
      inbox.sums.push_back(checksum);
      arrival_.count(of.blocks, piece.block, moment.number, piece.pieces, piece.expected, checksum);
    });
    return Taking::taken;
  }
  const auto ring_of = [&](const block::ReceivedPiece& piece) -> const staging::BlockRing& {
    return of.blocks.plan_of(piece.block).rings.fixed();
  };
  const auto takes_values = [&](const block::ReceivedPiece& piece) {
    return staging::SettledFiles(ring_of(piece)).takes_values(piece.block.number, inbox.settled_files);
  };
  if (!std::ranges::all_of(inbox.pieces, takes_values)) return Taking::needs_block;
  auto sum = inbox.sums.begin();
  copy_pieces(of, inbox, message, moment, [&](const block::ReceivedPiece& piece, std::uint64_t checksum) {
    staging::SettledFiles(ring_of(piece)).renew(piece.block.number, checksum - std::exchange(*sum++, checksum));
  });
  return Taking::taken;
}

// note: what is done with the checksum of each.
template <typename Note>
void Receiver::copy_pieces(const Inboxes& of, const Inbox& inbox, const std::byte* message, const block::Moment& moment,
                           const Note& note) {
  const profile::Phases::Phase counted(phases_, receive_s_[static_cast<std::size_t>(of.identity.number)],
                                       {of.identity.word, moment.number, moment.number});
  for (const block::ReceivedPiece& piece : inbox.pieces) {
    std::byte* target = of.blocks.origin(piece.block, moment) + piece.target_offset;
    note(piece, copy_piece(piece.copy, piece.points, message + piece.message_offset, target));
  }
}

}  // namespace thalweg::receive
