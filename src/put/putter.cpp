#include "put/putter.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/seconds.hpp"
#include "base/subject.hpp"
#include "base/told.hpp"
#include "health/missing_pieces.hpp"
#include "put/not_put.hpp"
#include "put/stored_field.hpp"

namespace thalweg::put {
namespace {

// How soon a leader that waits for a block hears that sizes of encoded chunks are known.
constexpr double placing_interval_s = 0.001;

}  // namespace

void Putter::put(Puts& puts, int variable, int box, const Field& field, const block::Moment& moment) {
  const Concerns about(puts.identity.word, moment.number);
  const At at{puts, variable, moment};
  VariablePuts& of = at.of();
  if (!require_held(of.of, of.boxes.size())) return;
  const block::BoxPuts& box_puts = next_box(at, box);
  const StoredField as_stored = stored(of.of, box_puts.box, field);
  const CheckedField from{as_stored.field, as_stored.view};
  put_local(at, box_puts, &from);
  put_remote(at, box_puts, &from);
  of.next_put[static_cast<std::size_t>(box)] = at.moment.number + 1;
  puts.blocks.parts.front()
      .plan->rings.moments()
      .last_put(of_.roles.node_rank, variable)
      .store(at.moment.number + 1, std::memory_order_relaxed);
  send_if_complete(at);
  ++of_.counters.puts;
}

const block::BoxPuts& Putter::next_box(const At& at, int box) const {
  const VariablePuts& of = at.of();
  require_box(of.of, box, of.boxes.size());
  if (of.next_put[static_cast<std::size_t>(box)] > at.moment.number) refuse_second_put(of.of, at.moment.number);
  return of.boxes[static_cast<std::size_t>(box)];
}

void Putter::put_local(const At& at, const block::BoxPuts& box, const CheckedField* from) {
  for (const block::LocalPut& piece : box.local) {
    wait_for_block(at, piece.block);
    const std::uint64_t checksum =
        copier_.to_block(at.of(), piece, from, at.big_endian(), at.blocks().origin(piece.block, at.moment));
    of_.arrival.count(at.blocks(), piece.block, at.moment.number, piece.pieces, piece.expected, checksum);
  }
}

void Putter::wait_for_block(const At& at, const block::BlockPlace& block) {
  const block::NodeBlocks& blocks = at.blocks();
  const std::int64_t moment = at.moment.number;
  const block::CollectionPlan& plan = blocks.plan_of(block);
  if (blocks.is_assigned(block, moment) && !of_.arrival.assign(blocks, moment))
    wait_for_room(at, block, plan.assignment.opened(moment), plan.assignment.waiters(moment),
                  [&] { return of_.arrival.assign(blocks, moment); });
  if (blocks.takes_pieces(block, moment)) return;
  staging::BlockReleases& releases = plan.rings.moments().releases(block.number);
  wait_for_room(at, block, releases.count, releases.waiters, [&] { return blocks.takes_pieces(block, moment); });
}

// Sleeps on word, which whoever makes room wakes if there are waiters.
void Putter::wait_for_room(const At& at, const block::BlockPlace& block, staging::Word& word,
                           std::atomic<std::uint32_t>& waiters, const std::function<bool()>& has_room) {
  const std::int64_t moment = at.moment.number;
  const block::CollectionPlan& plan = at.blocks().plan_of(block);
  const auto why = [&] { return health::why_not_free(of_.roles, at.blocks(), at.variable, block, moment); };
  at.blocks().ask_for_room(block, moment);
  of_.wake_ups.ring();
  if (of_.settings.when_full == config::WhenFull::fail)
    fail(THALWEG_ERROR_FULL, "{}: no free block for record {} and 'when-full' is 'fail'; {}", at.where(),
         told::number(moment), why());
  ++of_.counters.waits;
  waiters.fetch_add(1, std::memory_order_seq_cst);
  of_.wake_ups.begin_block_wait();
  struct Leave {
    std::atomic<std::uint32_t>& waiters;
    staging::WakeUps& wake_ups;
    ~Leave() {
      waiters.fetch_sub(1, std::memory_order_seq_cst);
      wake_ups.end_block_wait();
    }
  } leave{waiters, of_.wake_ups};
  // A leader hears of encoded sizes between two sleeps, and the block may be waiting for the places that follow from
  // them.
  const bool places_chunks = of_.roles.self.writes && (plan.files.sizes_first || plan.files.fixed_sizes_first);
  of_.counters.wait_block_s.add_until_now(
      of_.waits.waiter().wait(word, {staging::WaitCause::block, at.puts.identity.number, at.variable, moment}, has_room,
                              why, places_chunks ? placing_interval_s : 1.0));
}

void Putter::put_remote(const At& at, const block::BoxPuts& box, const CheckedField* from) {
  for (const block::RemotePut& piece : box.remote) {
    transport::SendChannel& channel = at.of().channels[piece.message];
    wait_for_channel(at, channel);
    copier_.to_message(at.of(), piece, from, channel.buffer(at.moment.number));
  }
}

void Putter::wait_for_channel(const At& at, transport::SendChannel& channel) {
  const std::int64_t turn = at.moment.number;
  if (channel.is_free(turn)) return;
  if (of_.settings.when_full == config::WhenFull::fail)
    fail(THALWEG_ERROR_FULL, "{}: no free buffer for record {} to rank {} and 'when-full' is 'fail'", at.where(),
         told::number(turn), channel.peer());
  ++of_.counters.waits;
  of_.counters.wait_send_s.add_until_now(of_.waits.waiter().wait(
      of_.wake_ups.progress_word(), {staging::WaitCause::send, at.puts.identity.number, at.variable, turn},
      [&] { return channel.is_free(turn); },
      [&] {
        return fmt::format("Rank {} has not taken the pieces of record {}.\n", channel.peer(),
                           told::number(turn - transport::channel_buffers));
      }));
}

// All pieces for another rank go in one message, when the last of this rank's boxes is put.
void Putter::send_if_complete(const At& at) {
  VariablePuts& of = at.of();
  if (of.channels.empty()) return;
  if (++of.boxes_in_message < of.boxes.size()) return;
  of.boxes_in_message = 0;
  of_.sender.send(of, at.moment.number);
  of_.progress();
  of_.sender.drive_now();
}

void Putter::put_record_coordinate(Puts& puts, double time_s, const block::Moment& moment) {
  const int coordinate = puts.own_coordinate;
  if (coordinate < 0 || puts.variables[static_cast<std::size_t>(coordinate)].boxes.empty()) return;
  Field field;
  field.data = reinterpret_cast<const std::byte*>(&time_s);
  const block::BoxPuts& box = puts.variables[static_cast<std::size_t>(coordinate)].boxes.front();
  const FieldView view{box.box.count, 0};
  const CheckedField from{field, view};
  put_local({puts, coordinate, moment}, box, &from);
}

void Putter::put_missing(Puts& puts, const block::Moment& moment) {
  for (std::size_t v = 0; v < puts.variables.size(); ++v) {
    const At at{puts, static_cast<int>(v), moment};
    VariablePuts& of = at.of();
    if (!of.of.has_record || at.variable == puts.own_coordinate) continue;
    for (std::size_t box = 0; box < of.boxes.size(); ++box) {
      if (of.next_put[box] > at.moment.number) continue;
      put_local(at, of.boxes[box], nullptr);
      put_remote(at, of.boxes[box], nullptr);
      of.next_put[box] = at.moment.number + 1;
      send_if_complete(at);
      note_not_put(puts, of, fmt::format("record {} was closed", told::number(moment.number)), of_.counters);
    }
  }
}

}  // namespace thalweg::put
