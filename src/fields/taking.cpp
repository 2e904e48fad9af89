#include "fields/taking.hpp"

namespace thalweg::fields {
namespace {

template <typename Use>
void with_own(const PutSample& put, const PickedBox* picked, const Use& use) {
  if (picked == nullptr)
    use(put);
  else
    use(PickedSample(put, *picked).put());
}

}  // namespace

void Taking::begin_sample(const PutSample& put, bool is_first) const {
  for (const Gathering& each : gathering_) fields::begin_sample(each.accumulators, put, is_first);
}

void Taking::begin_beginning(const PutSample& put) const {
  for (const Gathering& each : gathering_)
    fields::begin_sample(each.accumulators, put, !each.accumulators.front().accumulator->has_samples());
}

void Taking::take(const PutSample& put) const {
  for (const Gathering& each : gathering_)
    with_own(put, each.picked, [&](const PutSample& own) { add_values(each.accumulators, own); });
  for (const Joining& each : joining_)
    with_own(put, each.picked, [&](const PutSample& own) { each.output->join(*each.joined, own); });
}

}  // namespace thalweg::fields
