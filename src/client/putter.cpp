#include "client/putter.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/quiet_arithmetic.hpp"
#include "client/block_blame.hpp"

namespace thalweg::client {
namespace {

// How soon a leader that waits for a block hears that sizes of encoded chunks are known.
constexpr double placing_interval_s = 0.001;

const std::string& where(const Collection& collection, int variable) {
  return collection.puts[static_cast<std::size_t>(variable)].where;
}

}  // namespace

bool Putter::holds(const Collection& collection, int variable) {
  return !collection.puts[static_cast<std::size_t>(variable)].boxes.empty() ||
         collection.declaration.model_side(variable).decomposition < 0;
}

void Putter::put(Collection& collection, int variable, int box, Field field) {
  VariablePuts& puts = collection.puts[static_cast<std::size_t>(variable)];
  if (!collection.declaration.model_side(variable).is_held)
    fail(THALWEG_ERROR_NAME, "{}: it only says how others are rounded and is not put; leave out the call",
         where(collection, variable));
  if (puts.boxes.empty()) return;  // replicated, and another rank contributes it
  const std::int64_t record = collection.variable(variable).has_record ? collection.schedule.upcoming().record : 0;
  const BoxPuts& box_puts = next_box(collection, variable, box, record);
  field.type = as_stored(field.type, collection.variable(variable).type);
  const FieldView view = view_of(collection, variable, field, box_puts.box);
  put_local(collection, variable, box_puts, field, view, record);
  put_remote(collection, variable, box_puts, field, view, record);
  puts.next_put[static_cast<std::size_t>(box)] = record + 1;
  collection.shares.front()
      .plan->record_ring.last_put(of_.roles.node_rank, variable)
      .store(record + 1, std::memory_order_relaxed);
  send_if_complete(collection, variable, record);
  ++of_.counters.puts;
}

const BoxPuts& Putter::next_box(Collection& collection, int variable, int box, std::int64_t record) const {
  const VariablePuts& puts = collection.puts[static_cast<std::size_t>(variable)];
  if (box < 0 || box >= static_cast<int>(puts.boxes.size()))
    fail(THALWEG_ERROR_ARGUMENT, "{}: box {} of {}; boxes count from 0", where(collection, variable), box,
         puts.boxes.size());
  if (puts.next_put[static_cast<std::size_t>(box)] > record)
    fail(THALWEG_ERROR_STATE, "{}: put twice {}", where(collection, variable),
         collection.variable(variable).has_record ? fmt::format("in record {}; advance comes between", record)
                                                  : "; a variable without record dimension is put once");
  return puts.boxes[static_cast<std::size_t>(box)];
}

FieldView Putter::view_of(const Collection& collection, int variable, const Field& field, const Box& box) const {
  const auto type = collection.variable(variable).type;
  if (!transform::convertible(field.type, type))
    fail(THALWEG_ERROR_SHAPE,
         "{}: the array is {}, the file's type is {}; possible are equal types, float64 <-> float32, "
         "and integers for unsigned ones of the same size",
         where(collection, variable), name_of(field.type), name_of(type));
  const catalog::ModelSide& side = collection.declaration.model_side(variable);
  FieldRules rules{&side.memory_place, &side.decomposed, {}, {}};
  if (side.decomposition >= 0) {
    const exchange::Decomposition& of = of_.decompositions[static_cast<std::size_t>(side.decomposition)];
    rules.halo_low = of.halo_low;
    rules.halo_high = of.halo_high;
  }
  return view_field(field, box, rules, where(collection, variable));
}

std::byte* Putter::target_of(const Collection& collection, int variable, const LocalPut& piece,
                             std::int64_t record) const {
  return block_address(collection, variable, piece.block, record, collection.schedule.upcoming().index_in_file) +
         piece.copy.target_offset;
}

// What overflows is counted, which costs a second look at such pieces alone.
std::uint64_t Putter::convert_piece(Collection& collection, int variable, const transform::BoxCopy& copy,
                                    const PiecePoints& points, const std::byte* source, std::byte* target) {
  if (copy.source_type != Type::float64 || copy.target_type != Type::float32)
    return copy_piece(copy, points, source, target);
  const OverflowWatch watch;
  const std::uint64_t checksum = copy_piece(copy, points, source, target);
  if (watch.overflowed()) {
    const std::int64_t values = count_out_of_range(copy, points, source);
    collection.puts[static_cast<std::size_t>(variable)].out_of_range += values;
    of_.counters.out_of_range += values;
  }
  return checksum;
}

void Putter::put_local(Collection& collection, int variable, const BoxPuts& puts, const Field& field,
                       const FieldView& view, std::int64_t record) {
  if (puts.local.empty()) return;
  transform::BoxCopy copy{
      {}, view.stride, {}, field.type, collection.variable(variable).type, collection.plan->big_endian};
  for (const LocalPut& piece : puts.local) {
    wait_for_block({collection, variable, piece.block, record});
    const double start_s = now_s();
    copy.count = piece.copy.count;
    copy.target_stride = piece.copy.target_stride;
    const std::byte* source = field.data + view.offset + offset_of(piece.copy.first, view.stride);
    const std::uint64_t checksum = convert_piece(collection, variable, copy, piece.copy.points, source,
                                                 target_of(collection, variable, piece, record));
    of_.counters.copy_s += now_s() - start_s;
    of_.counters.put_bytes += copy.count.product() * static_cast<std::int64_t>(size_of(copy.target_type));
    of_.arrival.count({collection, variable, piece.block, record}, piece.pieces, piece.expected, checksum);
  }
}

void Putter::wait_for_block(const BlockOf& block) {
  const auto& [collection, variable, place, record] = block;
  const block::CollectionPlan& plan = collection.plan_of(place);
  if (!collection.variable(variable).has_record) return;
  if (collection.is_claimed(place, true) && !of_.arrival.claim(collection, record))
    wait_for_room(block, plan.claims.opened(record), plan.claims.waiters(record),
                  [&] { return of_.arrival.claim(block.collection, block.record); });
  if (plan.record_ring.is_open(record, place.number)) return;
  staging::BlockState& state = plan.record_ring.state(plan.record_ring.slot_of(record), place.number);
  wait_for_room(block, state.open, state.waiters,
                [&] { return plan.record_ring.is_open(block.record, block.place.number); });
}

// Sleeps on word, which whoever makes room wakes if there are waiters.
void Putter::wait_for_room(const BlockOf& wanted, staging::Word& word, std::atomic<std::uint32_t>& waiters,
                           const std::function<bool()>& has_room) {
  const auto& [collection, variable, place, record] = wanted;
  const block::CollectionPlan& plan = collection.plan_of(place);
  collection.ask_for_room(place, record);
  of_.control.ring();
  if (of_.settings.when_full == config::WhenFull::fail)
    fail(THALWEG_ERROR_FULL, "{}: no free block for record {} and 'when-full' is 'fail'; {}",
         where(collection, variable), record, block_blame(of_.roles, wanted));
  ++of_.counters.waits;
  waiters.fetch_add(1, std::memory_order_seq_cst);
  of_.control.want_block(true);
  struct Leave {
    std::atomic<std::uint32_t>& waiters;
    staging::Control& control;
    ~Leave() {
      waiters.fetch_sub(1, std::memory_order_seq_cst);
      control.want_block(false);
    }
  } leave{waiters, of_.control};
  // A leader hears of encoded sizes between two sleeps, and the block may be waiting for the places that follow from
  // them.
  const bool places_chunks = of_.roles.self.writes && (plan.sizes_first || plan.fixed_sizes_first);
  of_.counters.wait_block_s += of_.waits.waiter().wait(
      word, {staging::WaitCause::block, collection.number, variable, record}, has_room,
      [&] { return block_blame(of_.roles, wanted); }, places_chunks ? placing_interval_s : 1.0);
}

void Putter::put_remote(Collection& collection, int variable, const BoxPuts& puts, const Field& field,
                        const FieldView& view, std::int64_t record) {
  if (puts.remote.empty()) return;
  VariablePuts& all = collection.puts[static_cast<std::size_t>(variable)];
  // Messages carry the file's type in this machine's byte order; the receiver copies them into blocks like any field.
  transform::BoxCopy copy{{}, view.stride, {}, field.type, collection.variable(variable).type, false};
  for (const RemotePut& piece : puts.remote) {
    transport::SendChannel& channel = all.channels[piece.channel];
    wait_for_channel(collection, variable, channel, record);
    const Timer timer(of_.counters.copy_s);
    copy.count = piece.copy.count;
    copy.target_stride = piece.copy.target_stride;
    convert_piece(collection, variable, copy, piece.copy.points,
                  field.data + view.offset + offset_of(piece.copy.first, view.stride),
                  channel.buffer(record) + piece.copy.target_offset);
    of_.counters.put_bytes += copy.count.product() * static_cast<std::int64_t>(size_of(copy.target_type));
  }
}

void Putter::wait_for_channel(Collection& collection, int variable, transport::SendChannel& channel,
                              std::int64_t record) {
  if (channel.is_free(record)) return;
  if (of_.settings.when_full == config::WhenFull::fail)
    fail(THALWEG_ERROR_FULL, "{}: no free buffer for record {} to rank {} and 'when-full' is 'fail'",
         where(collection, variable), record, channel.peer());
  ++of_.counters.waits;
  of_.counters.wait_send_s += of_.waits.waiter().wait(
      of_.control.news(), {staging::WaitCause::send, collection.number, variable, record},
      [&] { return channel.is_free(record); },
      [&] {
        return fmt::format("Rank {} has not taken the pieces of record {}.\n", channel.peer(),
                           record - transport::channel_buffers);
      });
}

// All pieces for another rank go in one message, when the last of this rank's boxes is put.
void Putter::send_if_complete(Collection& collection, int variable, std::int64_t record) {
  VariablePuts& puts = collection.puts[static_cast<std::size_t>(variable)];
  if (puts.channels.empty()) return;
  if (++puts.boxes_in_message < puts.boxes.size()) return;
  puts.boxes_in_message = 0;
  of_.sender.send(puts, record);
  of_.progress();
  of_.sender.drive_now();
}

void Putter::put_record_coordinate(Collection& collection, double time_s) {
  const int coordinate = collection.declaration.own_coordinate();
  if (coordinate < 0 || collection.puts[static_cast<std::size_t>(coordinate)].boxes.empty()) return;
  Field field;
  field.data = reinterpret_cast<const std::byte*>(&time_s);
  const VariablePuts& puts = collection.puts[static_cast<std::size_t>(coordinate)];
  const std::int64_t record = collection.schedule.upcoming().record;
  const FieldView view{puts.boxes.front().box.count, 0};
  put_local(collection, coordinate, puts.boxes.front(), field, view, record);
}

void Putter::put_missing(Collection& collection, bool has_record, std::int64_t record) {
  for (std::size_t v = 0; v < collection.puts.size(); ++v) {
    const int variable = static_cast<int>(v);
    if (collection.variable(variable).has_record != has_record || variable == collection.declaration.own_coordinate())
      continue;
    VariablePuts& puts = collection.puts[v];
    for (std::size_t box = 0; box < puts.boxes.size(); ++box) {
      if (puts.next_put[box] > record) continue;
      fill_box(collection, variable, puts.boxes[box], record);
      puts.next_put[box] = record + 1;
      send_if_complete(collection, variable, record);
      ++puts.missing;
      if (of_.counters.missing_puts++ == 0)
        log::warning("{}: not put before {}; filled with the fill value (all are summed up at the end)",
                     where(collection, variable), has_record ? fmt::format("record {} was closed", record) : "finish");
    }
  }
}

void Putter::fill_box(Collection& collection, int variable, const BoxPuts& puts, std::int64_t record) {
  const Type type = collection.variable(variable).type;
  const Element fill = collection.declaration.fill_of(variable);
  for (const LocalPut& piece : puts.local) {
    wait_for_block({collection, variable, piece.block, record});
    const std::uint64_t checksum =
        fill_piece(piece.copy.count, piece.copy.target_stride, piece.copy.points, type, collection.plan->big_endian,
                   fill, target_of(collection, variable, piece, record));
    of_.arrival.count({collection, variable, piece.block, record}, piece.pieces, piece.expected, checksum);
  }
  for (const RemotePut& piece : puts.remote) {
    transport::SendChannel& channel = collection.puts[static_cast<std::size_t>(variable)].channels[piece.channel];
    wait_for_channel(collection, variable, channel, record);
    fill_piece(piece.copy.count, piece.copy.target_stride, piece.copy.points, type, false, fill,
               channel.buffer(record) + piece.copy.target_offset);
  }
}

}  // namespace thalweg::client
