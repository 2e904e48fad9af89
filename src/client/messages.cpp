// Session: what goes on between nodes while the model is in a call of Thalweg. Nothing here waits.
#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "client/session.hpp"
#include "transport/collective.hpp"

namespace thalweg::client {

void Session::progress() {
  if (roles_->self.writes) {
    for (Collection* collection : ready_collections_)
      at_desk(*collection, [](FileDesk& desk) { desk.place_overdue(); });
    tell_events();
  }
  if (!has_peers()) return;
  transport::make_progress(roles_->messages);  // of sends, on a rank that has nothing to look for
  const bool wants = receive_pieces();
  if (wants != std::exchange(wants_block_, wants)) control_->want_block(wants);
  learn_losses();
  if (!speaks_for_node()) return;
  hear_notices();
  tell_news();
  spread_failure();
}

// True if something that is in waits for a block.
bool Session::receive_pieces() {
  for (const int number : arrivals_.look())
    if (!std::exchange(inboxes_[static_cast<std::size_t>(number)].inbox().is_full, true))
      full_inboxes_.push_back(number);
  bool needs_block = false;
  std::erase_if(full_inboxes_, [&](int number) {
    const Taking last = take_messages(inboxes_[static_cast<std::size_t>(number)]);
    if (last == Taking::early) early_inboxes_.push_back(number);
    needs_block |= last == Taking::needs_block;
    return last != Taking::needs_block;
  });
  return needs_block;
}

// This rank has come to another record.
void Session::look_at_early_pieces() {
  full_inboxes_.insert(full_inboxes_.end(), early_inboxes_.begin(), early_inboxes_.end());
  early_inboxes_.clear();
}

// All that is in, up to one that cannot be taken yet.
Session::Taking Session::take_messages(const InboxPlace& place) {
  Inbox& inbox = place.inbox();
  while (const std::byte* message = inbox.channel.arrived()) {
    const Taking taking = take_message(*place.collection, inbox, message);
    if (taking != Taking::taken) return taking;
  }
  inbox.is_full = false;
  return Taking::taken;
}

// A message is taken when this rank knows where its record lies in the file and all its blocks are open for it.
Session::Taking Session::take_message(Collection& collection, Inbox& inbox, const std::byte* message) {
  if (!collection.is_ready || is_given_up(collection)) return Taking::early;
  const bool fixed = !collection.variable(inbox.variable).has_record;
  const std::int64_t record = inbox.channel.next_record();
  std::int64_t index = 0;
  if (!fixed) {
    const Upcoming& upcoming = collection.schedule.upcoming();
    const auto closed = collection.index_in_file.find(record);
    if (closed == collection.index_in_file.end() && !(upcoming.due && upcoming.record == record)) return Taking::early;
    index = closed == collection.index_in_file.end() ? upcoming.index_in_file : closed->second;
    const auto is_closed = [&](const ReceivedPiece& piece) {
      return (collection.is_claimed(piece.block, true) && !claim(collection, record)) ||
             !collection.plan_of(piece.block).record_ring.is_open(record, piece.block.number);
    };
    const auto closed_one = std::ranges::find_if(inbox.pieces, is_closed);
    if (closed_one != inbox.pieces.end()) {
      collection.ask_for_room(closed_one->block, record);
      return Taking::needs_block;
    }
  }
  const profile::Phases::Phase counted(phases_, times_.receive_s[static_cast<std::size_t>(collection.number)]);
  for (const ReceivedPiece& piece : inbox.pieces) {
    const store::CollectionPlan& plan = collection.plan_of(piece.block);
    const staging::BlockRing& ring = fixed ? plan.fixed_ring : plan.record_ring;
    std::byte* slot = ring.slot_data(fixed ? 0 : ring.slot_of(record));
    const std::int64_t phase = fixed ? 0 : plan.phase(piece.block.number, index);
    const std::uint64_t checksum =
        copy_piece(piece.copy, piece.points, message + piece.message_offset, slot + phase + piece.target_offset);
    arrive(collection, inbox.variable, piece.block, piece.pieces, piece.expected, checksum, record);
  }
  inbox.channel.take_next();
  ++received_;
  return Taking::taken;
}

void Collection::keep_index(const Upcoming& closed) {
  if (inboxes.empty()) return;
  index_in_file[closed.record] = closed.index_in_file;
  std::int64_t oldest = closed.record;
  for (const Inbox& inbox : inboxes)
    if (variable(inbox.variable).has_record) oldest = std::min(oldest, inbox.channel.next_record());
  index_in_file.erase(index_in_file.begin(), index_in_file.lower_bound(oldest));
}

void Session::tell_events() {
  const std::vector<store::Event> events = book_->take_events();
  for (const store::Event& event : events)
    std::visit(
        [this](const auto& one) {
          at_desk(*ready_collections_[static_cast<std::size_t>(one.collection)],
                  [&](FileDesk& desk) { desk.hear(one); });
        },
        event);
  if (!events.empty()) control_->ring();  // orders may have come of them
}

void Session::hear_notices() {
  bool heard = false;
  while (const auto notice = notices_.receive()) {
    heard = true;
    if (notice->kind == transport::NoticeKind::news) {
      hear_news(*notice);
      continue;
    }
    if (notice->kind == transport::NoticeKind::lost) {
      hear_loss(*notice);
      continue;
    }
    if (notice->kind != transport::NoticeKind::failed) {
      at_desk(*ready_collections_[static_cast<std::size_t>(notice->collection)],
              [&](FileDesk& desk) { desk.hear(*notice); });
      continue;
    }
    has_spread_failure_ = true;
    control_->report_failure(static_cast<thalweg_status>(notice->code), notice->text);
  }
  if (heard) control_->ring();
}

// Whoever finds a failure tells it, too: the leader may be the one that died, and where others outlive it a client
// hears for the node as well.
bool Session::speaks_for_node() const {
  if (survives_ && roles_->nodes[static_cast<std::size_t>(roles_->node)].first_client == roles_->rank) return true;
  return roles_->leads_node() || roles_->self.writes || control_->was_reported_here();
}

// A failure on one node ends the output of all: the others hear of it instead of waiting.
void Session::spread_failure() {
  if (has_spread_failure_ || !control_->has_failed()) return;
  has_spread_failure_ = true;
  try {
    control_->throw_failure();
  } catch (const Error& error) {
    for (const roles::Node& node : roles_->nodes)
      if (node.leader != roles_->rank)
        notices_.send(node.leader, {transport::NoticeKind::failed, 0, 0, {}, error.code(), error.what()});
  }
}

// The call that fails may be the last one of this rank, so the notice is seen off here, but not waited for long.
void Session::throw_if_failed() {
  if (!control_->has_failed()) return;
  spread_failure_now();
  control_->throw_failure();
}

void Session::spread_failure_now() {
  constexpr double patience_s = 0.1;
  if (!speaks_for_node() || roles_->node_count == 1) return;
  spread_failure();
  for (const double start_s = now_s(); !notices_.is_idle() && now_s() - start_s < patience_s;)
    transport::make_progress(roles_->messages);
}

}  // namespace thalweg::client
