#include "client/receiver.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace thalweg::client {
namespace {

// Where a record lies in its file, as far as this rank has come to it.
std::optional<std::int64_t> index_in_file(const Collection& collection, std::int64_t record) {
  if (const auto closed = collection.index_in_file.find(record); closed != collection.index_in_file.end())
    return closed->second;
  const files::Upcoming& upcoming = collection.schedule.upcoming();
  if (upcoming.due && upcoming.record == record) return upcoming.index_in_file;
  return std::nullopt;
}

}  // namespace

int Receiver::add(const InboxPlace& inbox) {
  inboxes_.push_back(inbox);
  return static_cast<int>(inboxes_.size()) - 1;
}

void Receiver::take() {
  const bool wants = take_what_came();
  if (wants != std::exchange(wants_block_, wants)) control_.want_block(wants);
}

// True if something that is in waits for a block.
bool Receiver::take_what_came() {
  for (const int number : arrivals_.look())
    if (!std::exchange(inboxes_[static_cast<std::size_t>(number)].inbox().is_full, true)) full_.push_back(number);
  bool needs_block = false;
  std::erase_if(full_, [&](int number) {
    const Taking last = take_messages(inboxes_[static_cast<std::size_t>(number)]);
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
Receiver::Taking Receiver::take_messages(const InboxPlace& place) {
  Inbox& inbox = place.inbox();
  while (const std::byte* message = inbox.channel.arrived()) {
    const Taking taking = take_message(*place.collection, inbox, message);
    if (taking != Taking::taken) return taking;
  }
  inbox.is_full = false;
  return Taking::taken;
}

// A message is taken when this rank knows where its record lies in the file and all its blocks are open for it.
Receiver::Taking Receiver::take_message(Collection& collection, Inbox& inbox, const std::byte* message) {
  if (!collection.is_ready || groups_.is_given_up(collection)) return Taking::early;
  std::int64_t index = 0;
  if (collection.variable(inbox.variable).has_record) {
    const std::int64_t record = inbox.channel.next_record();
    const auto found = index_in_file(collection, record);
    if (!found) return Taking::early;
    index = *found;
    const auto is_closed = [&](const ReceivedPiece& piece) {
      return !arrival_.is_open(collection, piece.block, record);
    };
    const auto closed = std::ranges::find_if(inbox.pieces, is_closed);
    if (closed != inbox.pieces.end()) {
      collection.ask_for_room(closed->block, record);
      return Taking::needs_block;
    }
  }
  copy_pieces(collection, inbox, message, index);
  inbox.channel.take_next();
  ++received_;
  return Taking::taken;
}

void Receiver::copy_pieces(Collection& collection, const Inbox& inbox, const std::byte* message,
                           std::int64_t index_in_file) {
  const profile::Phases::Phase counted(phases_, receive_s_[static_cast<std::size_t>(collection.number)]);
  const std::int64_t record = inbox.channel.next_record();
  for (const ReceivedPiece& piece : inbox.pieces) {
    std::byte* target = block_address(collection, inbox.variable, piece.block, record, index_in_file);
    const std::uint64_t checksum =
        copy_piece(piece.copy, piece.points, message + piece.message_offset, target + piece.target_offset);
    arrival_.count({collection, inbox.variable, piece.block, record}, piece.pieces, piece.expected, checksum);
  }
}

}  // namespace thalweg::client
