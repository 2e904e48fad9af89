// Session: the put. The model's thread copies its pieces into blocks of its node, or into messages to other nodes.
#include <algorithm>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "base/quiet_arithmetic.hpp"
#include "client/session.hpp"
#include "staging/budget.hpp"

namespace thalweg::client {
namespace {

// The writer is woken at once for a complete block of this size; smaller ones wait for the rest of their record.
constexpr std::int64_t waking_bytes = std::int64_t{256} << 10;

// How soon a leader that waits for a block hears that sizes of encoded chunks are known.
constexpr double placing_interval_s = 0.001;

}  // namespace

void Session::put(Collection& collection, std::string_view variable, int box, const Field& field) {
  throw_if_failed();
  require_ready();
  running_ = true;
  if (!collection.is_ready)
    fail(THALWEG_ERROR_STATE, "collection '{}': its definitions ended with an error, so it takes no fields",
         collection.name);
  const auto found = collection.variable_numbers.find(variable);
  if (found == collection.variable_numbers.end()) {
    const std::string name(variable);
    if (collection.declaration.is_disabled(name)) return;
    fail(THALWEG_ERROR_NAME, "rank {}, collection '{}': put of unknown variable '{}'{}", roles_->rank, collection.name,
         name, name_hint(name, collection.declaration.variable_names()));
  }
  const int number = found->second;
  if (collection.variable(number).has_record && !collection.schedule.upcoming().due) {
    ++counters_.skipped_puts;
    return;
  }
  if (is_given_up(collection)) return;
  unless_lost([&] { put_box(collection, number, box, field); });
}

// The name is noted on all ranks, whether they see to files or not: they all meet the error, if there is one.
void Session::begin_record(Collection& collection, const Upcoming& upcoming) {
  collection.require_record(upcoming);
  if (upcoming.opens_file && collection.named_files <= upcoming.file) {
    if (!collection.procedure) names_.claim(collection.name, path_of(collection, upcoming.file_name));
    collection.named_files = upcoming.file + 1;
  }
  at_desk(collection, [&](FileDesk& desk) { desk.begin_record(upcoming); });
}

void Session::put_box(Collection& collection, int variable, int box, Field field) {
  VariablePuts& puts = collection.puts[static_cast<std::size_t>(variable)];
  const catalog::ModelSide& side = collection.declaration.model_side(variable);
  if (puts.boxes.empty() && side.decomposition >= 0) return;  // this rank holds nothing
  const bool fixed = !collection.variable(variable).has_record;
  const std::int64_t record = fixed ? 0 : collection.schedule.upcoming().record;
  if (!fixed) {
    begin_record(collection, collection.schedule.upcoming());
    collection.begun_records = record + 1;
  }
  if (!side.is_held)
    fail(THALWEG_ERROR_NAME, "{}: it only says how others are rounded and is not put; leave out the call",
         where(collection, variable));
  if (puts.boxes.empty()) return;  // replicated, and another rank contributes it
  if (box < 0 || box >= static_cast<int>(puts.boxes.size()))
    fail(THALWEG_ERROR_ARGUMENT, "{}: box {} of {}; boxes count from 0", where(collection, variable), box,
         puts.boxes.size());
  std::int64_t& next_put = puts.next_put[static_cast<std::size_t>(box)];
  if (next_put > record)
    fail(THALWEG_ERROR_STATE, "{}: put twice {}", where(collection, variable),
         fixed ? "; a variable without record dimension is put once"
               : fmt::format("in record {}; advance comes between", record));
  const BoxPuts& box_puts = puts.boxes[static_cast<std::size_t>(box)];
  const auto type = collection.variable(variable).type;
  field.type = as_stored(field.type, type);
  if (!transform::convertible(field.type, type))
    fail(THALWEG_ERROR_SHAPE,
         "{}: the array is {}, the file's type is {}; possible are equal types, float64 <-> float32, "
         "and integers for unsigned ones of the same size",
         where(collection, variable), name_of(field.type), name_of(type));
  FieldRules rules{&side.memory_place, &side.decomposed, {}, {}};
  if (side.decomposition >= 0) {
    rules.halo_low = decompositions_[static_cast<std::size_t>(side.decomposition)].halo_low;
    rules.halo_high = decompositions_[static_cast<std::size_t>(side.decomposition)].halo_high;
  }
  const FieldView view = view_field(field, box_puts.box, rules, where(collection, variable));
  put_local(collection, variable, box_puts, field, view, record);
  put_remote(collection, variable, box_puts, field, view, record);
  next_put = record + 1;
  collection.shares.front()
      .plan->record_ring.last_put(roles_->node_rank, variable)
      .store(record + 1, std::memory_order_relaxed);
  send_if_complete(collection, variable, record);
  ++counters_.puts;
}

std::byte* Session::target_of(const Collection& collection, int variable, const LocalPut& piece,
                              std::int64_t record) const {
  const store::CollectionPlan& plan = collection.plan_of(piece.block);
  if (!collection.variable(variable).has_record) return plan.fixed_ring.slot_data(0) + piece.copy.target_offset;
  return plan.record_ring.slot_data(plan.record_ring.slot_of(record)) +
         plan.phase(piece.block.number, collection.schedule.upcoming().index_in_file) + piece.copy.target_offset;
}

// What overflows is counted, which costs a second look at such pieces alone.
std::uint64_t Session::convert_piece(Collection& collection, int variable, const transform::BoxCopy& copy,
                                     const PiecePoints& points, const std::byte* source, std::byte* target) {
  if (copy.source_type != Type::float64 || copy.target_type != Type::float32)
    return copy_piece(copy, points, source, target);
  const OverflowWatch watch;
  const std::uint64_t checksum = copy_piece(copy, points, source, target);
  if (watch.overflowed()) {
    const std::int64_t values = count_out_of_range(copy, points, source);
    collection.puts[static_cast<std::size_t>(variable)].out_of_range += values;
    counters_.out_of_range += values;
  }
  return checksum;
}

void Session::put_local(Collection& collection, int variable, const BoxPuts& puts, const Field& field,
                        const FieldView& view, std::int64_t record) {
  if (puts.local.empty()) return;
  transform::BoxCopy copy{
      {}, view.stride, {}, field.type, collection.variable(variable).type, collection.plan->big_endian};
  for (const LocalPut& piece : puts.local) {
    wait_for_block(collection, variable, piece.block, record);
    const double start_s = now_s();
    copy.count = piece.copy.count;
    copy.target_stride = piece.copy.target_stride;
    const std::byte* source = field.data + view.offset + offset_of(piece.copy.first, view.stride);
    const std::uint64_t checksum = convert_piece(collection, variable, copy, piece.copy.points, source,
                                                 target_of(collection, variable, piece, record));
    counters_.copy_s += now_s() - start_s;
    counters_.put_bytes += copy.count.product() * static_cast<std::int64_t>(size_of(copy.target_type));
    arrive(collection, variable, piece.block, piece.pieces, piece.expected, checksum, record);
  }
}

void Session::arrive(Collection& collection, int variable, const BlockPlace& place, std::uint32_t pieces,
                     std::uint32_t expected, std::uint64_t checksum, std::int64_t record) {
  const bool fixed = !collection.variable(variable).has_record;
  const Share& share = collection.share_of(place, !fixed, record);
  const store::CollectionPlan& plan = collection.plan_of(place);
  const std::int64_t block = place.number;
  const staging::BlockRing& ring = fixed ? plan.fixed_ring : plan.record_ring;
  if (!ring.arrive(record, block, pieces, expected, checksum)) return;
  if (collection.by_library()) {
    // The ranks that write it wait for the news, or, where they step a writer, for the bell.
    control_->tell_news();
    control_->ring();
    return;
  }
  const auto& records = plan.record_ring.shape();
  const std::int64_t token =
      fixed ? records.depth * records.blocks + block : ring.slot_of(record) * records.blocks + block;
  const auto& blocks = fixed ? plan.fixed_blocks : plan.record_blocks;
  const bool is_claimed = collection.is_claimed(place, !fixed);
  if (!fixed && !is_claimed)  // what is claimed counts from then on
    give_to_write(share, blocks[static_cast<std::size_t>(block)].map.bytes);
  share.ready_queue.push(plan.first_token + static_cast<std::uint32_t>(token));
  if (is_claimed) plan.claims.complete_block(record);
  const bool completes = !fixed && ring.completes_record(record);
  if (completes || blocks[static_cast<std::size_t>(block)].map.bytes >= waking_bytes) control_->ring();
}

void Session::wait_for_block(Collection& collection, int variable, const BlockPlace& place, std::int64_t record) {
  const store::CollectionPlan& plan = collection.plan_of(place);
  const std::int64_t block = place.number;
  if (!collection.variable(variable).has_record) return;
  if (collection.is_claimed(place, true) && !claim(collection, record)) {
    wait_for_room({collection, variable, place, record}, plan.claims.opened(record), plan.claims.waiters(record),
                  [&] { return claim(collection, record); });
  }
  if (plan.record_ring.is_open(record, block)) return;
  staging::BlockState& state = plan.record_ring.state(plan.record_ring.slot_of(record), block);
  wait_for_room({collection, variable, place, record}, state.open, state.waiters,
                [&] { return plan.record_ring.is_open(record, block); });
}

// Sleeps on word, which whoever makes room wakes if there are waiters.
void Session::wait_for_room(const RoomWanted& wanted, staging::Word& word, std::atomic<std::uint32_t>& waiters,
                            const std::function<bool()>& has_room) {
  const auto& [collection, variable, place, record] = wanted;
  const store::CollectionPlan& plan = collection.plan_of(place);
  collection.ask_for_room(place, record);
  control_->ring();
  if (settings_.when_full == config::WhenFull::fail)
    fail(THALWEG_ERROR_FULL, "{}: no free block for record {} and 'when-full' is 'fail'; {}",
         where(collection, variable), record, block_blame(collection, variable, place, record));
  ++counters_.waits;
  waiters.fetch_add(1, std::memory_order_seq_cst);
  control_->want_block(true);
  struct Leave {
    std::atomic<std::uint32_t>& waiters;
    staging::Control& control;
    ~Leave() {
      waiters.fetch_sub(1, std::memory_order_seq_cst);
      control.want_block(false);
    }
  } leave{waiters, *control_};
  // A leader hears of encoded sizes between two sleeps, and the block may be waiting for the places that follow from
  // them.
  const bool places_chunks = roles_->self.writes && (plan.sizes_first || plan.fixed_sizes_first);
  counters_.wait_block_s += waiter_->wait(
      word, {staging::WaitCause::block, collection.number, variable, record}, has_room,
      [&] { return block_blame(collection, variable, place, record); }, places_chunks ? placing_interval_s : 1.0);
}

// Which pieces of the record before in the same slot are missing, and who should have put them.
std::string Session::block_blame(const Collection& collection, int variable, const BlockPlace& place,
                                 std::int64_t record) const {
  const store::CollectionPlan& plan = collection.plan_of(place);
  const std::int64_t block = place.number;
  const staging::BlockRing& ring = plan.record_ring;
  if (collection.is_claimed(place, true) && !plan.claims.may_claim(record))
    return fmt::format("Record {}, which has its memory, is not complete", record - ring.shape().depth) +
           last_puts(collection, variable);
  const store::PlannedBlock& planned = plan.record_blocks[static_cast<std::size_t>(block)];
  const std::int64_t earlier = ring.state(ring.slot_of(record), block).open.load();
  const std::uint32_t arrived = ring.state(ring.slot_of(record), block).arrivals.load();
  std::string text = fmt::format("Its block ({}) still holds record {}, with {} of {} pieces",
                                 staging::readable_bytes(planned.map.bytes), earlier, arrived, planned.expected);
  if (arrived != planned.expected) return text + last_puts(collection, variable);
  return text + fmt::format(": it is complete and waits for the writer, rank {}.\n",
                            collection.share_of(place, true, earlier).writer);
}

std::string Session::last_puts(const Collection& collection, int variable) const {
  std::string text = "; last record of this variable that each rank put:";
  for (int c = 0; c < roles_->node_size; ++c) {
    const std::int64_t last = collection.shares.front().plan->record_ring.last_put(c, variable).load() - 1;
    text += fmt::format(" rank {}: {}{}", roles_->node_members[static_cast<std::size_t>(c)],
                        last < 0 ? std::string("none") : std::to_string(last), c + 1 < roles_->node_size ? "," : "");
  }
  return text + ". Ranks must put the same collections in the same order of records.\n";
}

void Session::put_remote(Collection& collection, int variable, const BoxPuts& puts, const Field& field,
                         const FieldView& view, std::int64_t record) {
  if (puts.remote.empty()) return;
  VariablePuts& all = collection.puts[static_cast<std::size_t>(variable)];
  // Messages carry the file's type in this machine's byte order; the receiver copies them into blocks like any field.
  transform::BoxCopy copy{{}, view.stride, {}, field.type, collection.variable(variable).type, false};
  for (const RemotePut& piece : puts.remote) {
    transport::SendChannel& channel = all.channels[piece.channel];
    wait_for_channel(collection, variable, channel, record);
    const Timer timer(counters_.copy_s);
    copy.count = piece.copy.count;
    copy.target_stride = piece.copy.target_stride;
    convert_piece(collection, variable, copy, piece.copy.points,
                  field.data + view.offset + offset_of(piece.copy.first, view.stride),
                  channel.buffer(record) + piece.copy.target_offset);
    counters_.put_bytes += copy.count.product() * static_cast<std::int64_t>(size_of(copy.target_type));
  }
}

void Session::wait_for_channel(Collection& collection, int variable, transport::SendChannel& channel,
                               std::int64_t record) {
  if (channel.is_free(record)) return;
  if (settings_.when_full == config::WhenFull::fail)
    fail(THALWEG_ERROR_FULL, "{}: no free buffer for record {} to rank {} and 'when-full' is 'fail'",
         where(collection, variable), record, channel.peer());
  ++counters_.waits;
  counters_.wait_send_s += waiter_->wait(
      control_->news(), {staging::WaitCause::send, collection.number, variable, record},
      [&] { return channel.is_free(record); },
      [&] {
        return fmt::format("Rank {} has not taken the pieces of record {}.\n", channel.peer(),
                           record - transport::channel_buffers);
      });
}

// All pieces for another rank go in one message, when the last of this rank's boxes is put.
void Session::send_if_complete(Collection& collection, int variable, std::int64_t record) {
  VariablePuts& puts = collection.puts[static_cast<std::size_t>(variable)];
  if (puts.channels.empty()) return;
  if (++puts.boxes_in_message < puts.boxes.size()) return;
  puts.boxes_in_message = 0;
  for (transport::SendChannel& channel : puts.channels) channel.send(record);
  has_sent_ = true;
  progress();
  if (progress_thread_) progress_thread_->look(true);
}

void Session::put_record_coordinate(Collection& collection, double time_s) {
  const int coordinate = collection.declaration.own_coordinate();
  if (coordinate < 0 || collection.puts[static_cast<std::size_t>(coordinate)].boxes.empty()) return;
  Field field;
  field.data = reinterpret_cast<const std::byte*>(&time_s);
  const VariablePuts& puts = collection.puts[static_cast<std::size_t>(coordinate)];
  const std::int64_t record = collection.schedule.upcoming().record;
  const FieldView view{puts.boxes.front().box.count, 0};
  put_local(collection, coordinate, puts.boxes.front(), field, view, record);
}

// What the model did not put becomes fill value, so that a record is never waited for in vain.
void Session::put_missing(Collection& collection, bool has_record, std::int64_t record) {
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
      if (counters_.missing_puts++ == 0)
        log::warning("{}: not put before {}; filled with the fill value (all are summed up at the end)",
                     where(collection, variable), has_record ? fmt::format("record {} was closed", record) : "finish");
    }
  }
}

void Session::fill_box(Collection& collection, int variable, const BoxPuts& puts, std::int64_t record) {
  const Type type = collection.variable(variable).type;
  const Element fill = collection.declaration.fill_of(variable);
  for (const LocalPut& piece : puts.local) {
    wait_for_block(collection, variable, piece.block, record);
    const std::uint64_t checksum =
        fill_piece(piece.copy.count, piece.copy.target_stride, piece.copy.points, type, collection.plan->big_endian,
                   fill, target_of(collection, variable, piece, record));
    arrive(collection, variable, piece.block, piece.pieces, piece.expected, checksum, record);
  }
  for (const RemotePut& piece : puts.remote) {
    transport::SendChannel& channel = collection.puts[static_cast<std::size_t>(variable)].channels[piece.channel];
    wait_for_channel(collection, variable, channel, record);
    fill_piece(piece.copy.count, piece.copy.target_stride, piece.copy.points, type, false, fill,
               channel.buffer(record) + piece.copy.target_offset);
  }
}

}  // namespace thalweg::client
