#include "fields/evaluated.hpp"

#include <algorithm>
#include <utility>

namespace thalweg::fields {

Evaluated::Evaluated(const Evaluator& evaluator, std::vector<const KeptValues*> kept, std::int64_t cells, Live live)
    : evaluator_(evaluator), kept_(std::move(kept)), cells_(cells), live_(live) {
  for (const KeptValues* of : kept_)
    if (of != nullptr && !of->put_cells().empty()) leave_put(put_, of->put_cells());
}

// As it lies, or in the room where some have no value.
template <typename Number>
OperandStrip Evaluated::live_strip(std::span<const Number> values, std::span<const std::uint8_t> holding,
                                   Number* room) const {
  if (live_.missing->empty() && holding.empty()) return values.data();
  copy_valid(values, holding, *live_.missing, live_.put->is_single, room);
  return room;
}

void Evaluated::evaluate(std::int64_t first, std::size_t count, Rooms& rooms, const Use& use) const {
  for (std::size_t o = 0; o < kept_.size(); ++o)
    if (kept_[o] != nullptr) rooms.operands[o] = kept_[o]->from(first);
  faults_ += evaluator_.evaluate(rooms.operands, count, rooms.results.data(), rooms.scratch);
  use_put(first, std::span(rooms.results).first(count), put_, use);
}

void Evaluated::for_each_strip(const Use& use) const {
  faults_ = 0;
  Rooms rooms{.operands = std::vector<OperandStrip>(kept_.size())};
  if (live_.put == nullptr) {
    for (std::int64_t first = 0; first < cells_; first += std::ssize(rooms.results))
      evaluate(first, static_cast<std::size_t>(std::min(cells_ - first, std::ssize(rooms.results))), rooms, use);
    return;
  }
  const auto evaluate_run = [&]<typename Number>(std::int64_t first, std::span<const Number> live,
                                                 const auto& holding) {
    StripRoom<Number, short_strip_cells> room;
    for (std::size_t at = 0; at < live.size(); at += room.size()) {
      const std::size_t count = std::min(room.size(), live.size() - at);
      const auto holds = holding.empty() ? holding : holding.subspan(at, count);
      rooms.operands[live_.operand] = live_strip(live.subspan(at, count), holds, room.data());
      evaluate(first + static_cast<std::int64_t>(at), count, rooms, use);
    }
  };
  if (live_.put->are_singles()) return live_.put->for_each_run_of_singles(evaluate_run);
  live_.put->for_each_run(evaluate_run);
}

}  // namespace thalweg::fields
