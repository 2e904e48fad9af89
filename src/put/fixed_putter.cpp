#include "put/fixed_putter.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "put/not_put.hpp"
#include "put/stored_field.hpp"
#include "staging/settled_files.hpp"

namespace thalweg::put {
namespace {

using staging::SettledFiles;

bool is_fixed(const VariablePuts& of) {
  return !of.of.has_record;
}

// What went to other ranks last has left it.
bool is_first_buffer_free(VariablePuts& of) {
  return of.messages.has_values && !of.messages.values_wait &&
         std::ranges::all_of(of.channels, &transport::SendChannel::is_idle);
}

// In all boxes of the node's blocks.
bool take_values(const Puts& puts, const block::BoxPuts& box, std::int64_t file) {
  return std::ranges::all_of(box.local, [&](const block::LocalPut& piece) {
    return SettledFiles(puts.blocks.plan_of(piece.block).rings.fixed()).takes_values(piece.block.number, file);
  });
}

}  // namespace

void FixedPutter::add(Puts& puts) {
  puts_.push_back(&puts);
  const bool contributes =
      std::ranges::any_of(puts.variables, [](const VariablePuts& of) { return is_fixed(of) && !of.boxes.empty(); });
  if (!contributes) puts.blocks.settle(of_.roles.node_rank, SettledFiles::By::puts, staging::BlockRing::all_moments);
}

void FixedPutter::put(Puts& puts, int variable, int box, const Field& field, std::int64_t files) {
  VariablePuts& of = puts.variables[static_cast<std::size_t>(variable)];
  if (!require_held(of.of, of.boxes.size())) return;
  require_box(of.of, box, of.boxes.size());
  std::int64_t& next_put = of.next_put[static_cast<std::size_t>(box)];
  if (next_put > files) refuse_second_put(of.of, files);
  const bool is_first = next_put == 0;
  if (!is_first && puts.blocks.by_mpiio)
    fail(THALWEG_ERROR_STATE,
         "{}: put again after a file has begun; with 'engine: library' a variable without records has the same values "
         "in all files: set engine: direct for values that change from file to file",
         of.of.where);
  if (is_first && !(puts.takes_turns && puts.fixed.begun == 0)) {
    const StoredField as_stored = stored(of.of, of.boxes[static_cast<std::size_t>(box)].box, field);
    const CheckedField from{as_stored.field, as_stored.view};
    put_first({puts, variable, box, &from});
  } else {
    keep(puts, variable, box, field);
  }
  next_put = is_first ? 1 : files + 1;  // the first put is that of the first file, however late it comes
  puts.blocks.parts.front()
      .plan->rings.moments()
      .last_put(of_.roles.node_rank, variable)
      .store(1, std::memory_order_relaxed);
  ++of_.counters.puts;
  go_on(puts);
}

// Values that no file has begun with give way.
void FixedPutter::keep(Puts& puts, int variable, int box, const Field& field) {
  const VariablePuts& of = puts.variables[static_cast<std::size_t>(variable)];
  RenewedValues values{put::keep(of.of, of.boxes[static_cast<std::size_t>(box)].box, field), variable, box,
                       puts.fixed.begun};
  const auto is_same = [&](const RenewedValues& kept) {
    return kept.variable == variable && kept.box == box && kept.file == values.file;
  };
  std::erase_if(puts.fixed.renewed, is_same);
  puts.fixed.renewed.push_back(std::move(values));
}

void FixedPutter::put_missing(Puts& puts, bool has_files) {
  for (std::size_t v = 0; v < puts.variables.size(); ++v) {
    VariablePuts& of = puts.variables[v];
    if (!is_fixed(of)) continue;
    for (std::size_t box = 0; box < of.boxes.size(); ++box) {
      if (of.next_put[box] > 0) continue;
      put_first({puts, static_cast<int>(v), static_cast<int>(box), nullptr});
      of.next_put[box] = 1;
      if (has_files) note_not_put(puts, of, "finish", of_.counters);
    }
  }
  go_on(puts);
}

// ---- where values go

void FixedPutter::put_first(const Given& given) {
  VariablePuts& of = given.of();
  const block::NodeBlocks& blocks = given.puts.blocks;
  for (const block::LocalPut& piece : given.box_puts().local) {
    const std::uint64_t checksum = copier_.to_block(of, piece, given.from, blocks.own->files.big_endian,
                                                    blocks.origin(piece.block, block::Moment::fixed()));
    given.sums().push_back(checksum);
    of_.arrival.count(blocks, piece.block, staging::BlockAddress::fixed, piece.pieces, piece.expected, checksum);
  }
  of.is_placed[static_cast<std::size_t>(given.box)] = true;
  copy_to_messages(given);
  if (!of.channels.empty() && std::ranges::all_of(of.is_placed, std::identity())) let_values_go(given.puts, of);
}

void FixedPutter::let_values_go(Puts& puts, VariablePuts& of) {
  of.messages.values_wait = puts.fixed.values_wait = true;
}

void FixedPutter::renew_blocks(const Given& given) {
  const block::NodeBlocks& blocks = given.puts.blocks;
  auto sum = given.sums().begin();
  for (const block::LocalPut& piece : given.box_puts().local) {
    const std::uint64_t checksum = copier_.to_block(given.of(), piece, given.from, blocks.own->files.big_endian,
                                                    blocks.origin(piece.block, block::Moment::fixed()));
    SettledFiles(blocks.plan_of(piece.block).rings.fixed())
        .renew(piece.block.number, checksum - std::exchange(*sum++, checksum));
  }
}

void FixedPutter::copy_to_messages(const Given& given) {
  for (const block::RemotePut& piece : given.box_puts().remote)
    copier_.to_message(given.of(), piece, given.from, given.of().channels[piece.message].buffer(0));
}

// ---- files

void FixedPutter::begin_files(Puts& puts, std::int64_t files) {
  if (puts.blocks.by_mpiio || files <= puts.fixed.begun) return;
  puts.fixed.begun = files;
  go_on(puts);
}

void FixedPutter::go_on() {
  for (Puts* puts : puts_) go_on(*puts);
}

void FixedPutter::go_on(Puts& puts) {
  if (of_.groups.is_given_up(puts.identity.number)) return;
  FixedFiles& fixed = puts.fixed;
  const std::int64_t before = fixed.settled;
  while (fixed.is_behind() && settle(puts, fixed.settled)) ++fixed.settled;
  if (fixed.values_wait) fixed.values_wait = !send_values(puts);
  if (fixed.settled == before) return;
  puts.blocks.settle(of_.roles.node_rank, SettledFiles::By::puts, fixed.settled);
  of_.wake_ups.ring();
}

// False: not all could go yet.
bool FixedPutter::send_values(Puts& puts) {
  bool all_sent = true;
  for (VariablePuts& of : puts.variables) all_sent &= of_.sender.send_fixed(of, of.messages.settled_files);
  return all_sent;
}

// False: something has no place yet.
bool FixedPutter::settle(Puts& puts, std::int64_t file) {
  std::vector<RenewedValues>& renewed = puts.fixed.renewed;
  const auto is_of_file = [&](const RenewedValues& values) { return values.file == file; };
  bool all_placed = true;
  for (RenewedValues& values : renewed)
    if (is_of_file(values)) all_placed &= place(puts, values);
  if (!all_placed) return false;
  for (const RenewedValues& values : renewed)
    if (is_of_file(values) && values.is_in_messages)
      let_values_go(puts, puts.variables[static_cast<std::size_t>(values.variable)]);
  std::erase_if(renewed, is_of_file);
  if (file == 0) return true;
  bool all_sent = true;
  for (VariablePuts& of : puts.variables)
    if (is_fixed(of) && !of.channels.empty()) all_sent &= of_.sender.send_fixed(of, file + 1);
  return all_sent;
}

bool FixedPutter::place(Puts& puts, RenewedValues& values) {
  VariablePuts& of = puts.variables[static_cast<std::size_t>(values.variable)];
  const auto number = static_cast<std::size_t>(values.box);
  const block::BoxPuts& box = of.boxes[number];
  const FieldView view = checked_view(of.of, values.field, box.box);
  const CheckedField from{values.field, view};
  const Given given{puts, values.variable, values.box, &from};
  if (!of.is_placed[number]) {
    put_first(given);
    return true;
  }
  if (!values.is_in_blocks && take_values(puts, box, values.file)) {
    renew_blocks(given);
    values.is_in_blocks = true;
  }
  if (!box.remote.empty() && !values.is_in_messages && is_first_buffer_free(of)) {
    copy_to_messages(given);
    values.is_in_messages = true;
  }
  return values.is_in_blocks && (box.remote.empty() || values.is_in_messages);
}

}  // namespace thalweg::put
