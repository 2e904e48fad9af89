#include "read/rounds.hpp"

#include "base/element_bits.hpp"

namespace thalweg::read {

void Rounds::make(const ReadPlan& plan) {
  for (const Round& round : plan.rounds) {
    for (const Share& share : round.incoming) messages_.expect(share.peer, getting_.bytes_of(share.cells));
    error_.of([&] { read(round); });
    if (!plan.alone) exchange(round);
  }
  if (!plan.alone) messages_.end();
  error_.rethrow();
}

void Rounds::read(const Round& round) {
  has_values_ = false;
  if (!round.window || !error_.is_none()) return;
  order_ = source_(round.window->cells, values_);
  has_values_ = true;
  if (getting_.is_summed) {
    const std::size_t element_bytes = size_of(getting_.variable->type);
    has_read_.sum +=
        order_ == std::endian::native ? bit_sum(values_, element_bytes) : bit_sum_of_swapped(values_, element_bytes);
    has_read_.cells += round.window->cells.cells();
  }
  if (round.own && getting_.target) place_own(round);
}

// Only what this rank wants is converted: it may be none of its values that its type cannot hold.
void Rounds::place_own(const Round& round) {
  if (!round.own->points && getting_.conversion.is_plain())
    return place_window(*round.own, {values_, order_}, *getting_.target);
  const transport::Bytes own = message_of(*round.own);
  place_message(*round.own_array, getting_.converted(own, room_), *getting_.target);
}

void Rounds::exchange(const Round& round) {
  for (const Share& share : round.outgoing) messages_.send(share.peer, message_of(share));
  const std::vector<transport::Bytes> received = messages_.end_round();
  error_.of([&] {
    for (std::size_t i = 0; i < received.size(); ++i)
      if (!received[i].empty() && getting_.target)
        place_message(round.incoming[i], getting_.converted(received[i], room_), *getting_.target);
  });
}

transport::Bytes Rounds::message_of(const Share& share) const {
  if (!has_values_) return {};
  transport::Bytes message(static_cast<std::size_t>(getting_.bytes_of(share.cells)));
  pack(share, getting_.variable->type, {values_, order_}, message);
  return message;
}

}  // namespace thalweg::read
