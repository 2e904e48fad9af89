#include "fields/puts_in_step.hpp"

#include <algorithm>

#include "fields/put_terms.hpp"

namespace thalweg::fields {

PutsInStep::PutsInStep(int rank, const DefinedFields& defined, std::deque<FieldState>& states, StepOfTime& step)
    : defined_(defined),
      states_(states),
      step_(step),
      derived_(
          rank, [this](int field) { return wants(field); },
          [this](int field, int box, const PutSample& put) { take(state_of(field), box, put); }) {}

// Threads wait for each other while a put is noted. The values of parts are then added at the same time, because parts
// do not meet; those that a rule joins may.
void PutsInStep::put(int field, int box, const put::Field& array, const PutTerms& terms) {
  FieldState& state = state_of(field);
  const put::PutVariable& of = state.held.variable;
  const Box& cells = state.held.boxes[static_cast<std::size_t>(box)];
  const Sample sample = sample_of(of, cells, array, terms);
  const std::vector<std::uint8_t> holding =
      terms.mask ? sample_of(of, cells, *terms.mask, terms).holding() : std::vector<std::uint8_t>();
  const Part part = part_of(of, in_memory_order(cells.count, of.rules), sample, terms.start);
  const bool is_all = terms.are_plain();
  if (is_all)
    for (const FieldUse& use : state.uses) use.output->require(box, array);
  const bool is_single = state.is_single || array.type == Type::float32;
  const SampleWeight weight{terms.weight.value_or(step_.weight()), terms.weight.value_or(1.0)};
  PutSample put{sample, holding, terms.start ? &part : nullptr, is_single, weight};
  if (!terms.start) put.array = &sample;

  std::unique_lock noting(noting_);
  Taking taking = begin(field, box, put, is_all || terms.is_again);
  if (!is_all) state.add_instants(taking, box);
  for (auto& [rule, repeated] : state.repeated) repeated.put(box, put);
  DerivedFields::Keeping keeping;
  if (terms.start) {
    if (state.is_operand) keeping = derived_.begin_part(field, box, put);
    noting.unlock();
  }
  taking.take(put);
  if (keeping.values != nullptr) keeping.keep(put);
  if (!terms.start && state.is_operand) derived_.put(field, box, put);
}

// Parts of a static field are noted as others are, because they may not meet; what comes again was noted before.
Taking PutsInStep::begin(int field, int box, const PutSample& put, bool is_once) {
  FieldState& state = state_of(field);
  if (state.is_operand) derived_.require_weight(field, box, put.weight.by_time);
  if (step_.is_before_steps()) return state.begin_taking_beginning(box, put);
  if (defined_.at(field).is_static && is_once) return {};
  return state.begin_taking(step_, box, put, state.begin_sample(step_, box, put.part));
}

void PutsInStep::take(FieldState& state, int box, const PutSample& put, const JoiningRule& rule) {
  Taking taking = step_.is_before_steps() ? state.begin_taking_beginning(box, put, rule)
                                          : state.begin_taking(step_, box, put, true, rule);
  state.add_instants(taking, box, rule);
  taking.take(put);
}

bool PutsInStep::want(int field) {
  const std::lock_guard lock(noting_);
  return wants(field);
}

bool PutsInStep::wants(int field) const {
  const auto takes = [this](const FieldUse& use) {
    const GatheredOutput* const gathered = use.output->gathered();
    if (gathered == nullptr) return use.output->wants_now();
    return step_.is_before_steps() ? gathered->takes_beginning(use.of) : gathered->takes_step(step_);
  };
  return std::ranges::any_of(states_[static_cast<std::size_t>(field)].uses, takes) || derived_.want(field);
}

void PutsInStep::end() {
  derived_.end_step();
  for (FieldState& state : states_)
    for (auto& [rule, repeated] : state.repeated)
      repeated.end_step([&](int box, const PutSample& put) { take(state, box, put, rule); });
}

}  // namespace thalweg::fields
