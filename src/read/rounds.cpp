#include "read/rounds.hpp"

namespace thalweg::read {

void Rounds::make(const ReadPlan& plan) {
  for (std::size_t number = 0; number < plan.rounds.size(); ++number) {
    const Round& round = plan.rounds[number];
    for (const Share& share : round.incoming) messages_.expect(share.peer, getting_.bytes_of(share.cells));
    ReadRound done = read(round, number);
    if (!plan.alone) exchange(round, std::move(done.outgoing));
  }
  if (!plan.alone) messages_.end();
  error_.rethrow();
}

ReadRound Rounds::read(const Round& round, std::size_t number) {
  ReadRound done;
  if (!round.window || !error_.is_none()) return done;
  error_.of([&] { done = source_(number); });
  has_read_.sum += done.sum;
  has_read_.cells += done.cells;
  return done;
}

void Rounds::exchange(const Round& round, std::vector<RawBytes> outgoing) {
  outgoing.resize(round.outgoing.size());
  for (std::size_t i = 0; i < outgoing.size(); ++i) messages_.send(round.outgoing[i].peer, std::move(outgoing[i]));
  const std::vector<RawBytes> received = messages_.end_round();
  error_.of([&] {
    for (std::size_t i = 0; i < received.size(); ++i)
      if (!received[i].empty() && getting_.target)
        place_message(round.incoming[i], getting_.converted(received[i], room_), *getting_.target);
  });
}

}  // namespace thalweg::read
