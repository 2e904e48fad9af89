#include "fields/field_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace thalweg::fields {

void FieldState::hold(const Field& field, int rank, const HeldField& as) {
  is_single = field.has_single_values();
  if (is_held()) return;
  held = as;
  held.variable.where = fmt::format("rank {}, field '{}'", rank, field.name);
  put.resize(held.boxes.size());
}

void FieldState::hold(const Field& field, const Output& output, int rank, const HeldField& as) {
  hold(field, rank, as);
  is_gathered = is_gathered || (output.is_gathered() && !field.is_static);
  is_converted = is_converted || !output.chosen().units.text.empty();
}

bool FieldState::may_repeat() const {
  return !is_operand && std::ranges::none_of(uses, [](const FieldUse& use) { return use.rule == JoiningRule{}; });
}

bool FieldState::begin_sample(StepOfTime& step, int box, const Part* part) {
  const std::string& where = held.variable.where;
  if (is_gathered && !step.is_known())
    fail(THALWEG_ERROR_STATE,
         "{}: nobody knows when the step ends; call thalweg_step before its puts, or set 'time-step: 10 min' (or what "
         "it is) at the top of the configuration",
         where);
  PutInStep& in_step = put[static_cast<std::size_t>(box)];
  if (in_step.step != step.number()) in_step = {step.number(), false, {}};
  const bool is_first = !in_step.is_whole && in_step.parts.empty();
  const auto meets = [&](const Box& other) { return intersect(other, {part->start, part->count}).has_value(); };
  const bool is_again = in_step.is_whole || (part == nullptr ? !is_first : std::ranges::any_of(in_step.parts, meets));
  if (is_again && !may_repeat())
    fail(THALWEG_ERROR_STATE, "{}: {}put twice in the step that ends at {} s; advance comes between", where,
         part == nullptr ? "" : "cells are ", step.end_s());
  in_step.is_whole = part == nullptr;
  if (part != nullptr) in_step.parts.push_back({part->start, part->count});
  step.note_sample(is_gathered);
  return is_first;
}

void FieldState::clear_uses() {
  uses.clear();
  picked_.clear();
  is_gathered = is_awaited = is_operand = is_converted = false;
}

void FieldState::add_use(Output& output, std::size_t of, const JoiningRule& rule) {
  const PickedBoxes* const own = output.part() ? &output.part()->boxes : nullptr;
  const auto is_same = [own](const PickedBoxes* other) {
    return other == own || (other != nullptr && own != nullptr && *other == *own);
  };
  auto known = std::ranges::find_if(picked_, is_same);
  if (known == picked_.end()) known = picked_.insert(picked_.end(), own);
  uses.push_back({&output, of, rule, *known});
}

template <typename Join, typename Take>
void FieldState::for_each_own(int box, const PutSample& sample, const JoiningRule& rule, const Join& join,
                              const Take& take) const {
  for (const PickedBoxes* picked : picked_) {
    const auto takers_of = [&](int own_box) {
      std::vector<Weighed> takers;
      for (const FieldUse& use : uses)
        if (use.picked == picked && use.rule == rule && use.output->is_gathered()) join(use, own_box, takers);
      return takers;
    };
    if (picked == nullptr) {
      if (const std::vector<Weighed> takers = takers_of(box); !takers.empty()) take(takers, sample);
      continue;
    }
    for (const PickedBox& part : (*picked)[static_cast<std::size_t>(box)])
      if (const std::vector<Weighed> takers = takers_of(part.number); !takers.empty())
        take(takers, PickedSample(sample, part).put());
  }
}

void FieldState::take_sample(const StepOfTime& step, int box, const PutSample& sample, bool is_first,
                             const JoiningRule& rule) {
  const auto join = [&](const FieldUse& use, int own_box, std::vector<Weighed>& takers) {
    if (use.output->takes_step(step)) use.output->join_takers(takers, use.of, own_box, step, sample.weight);
  };
  for_each_own(box, sample, rule, join,
               [&](const std::vector<Weighed>& takers, const PutSample& own) { add_sample(takers, own, is_first); });
}

void FieldState::take_beginning(int box, const PutSample& sample, const JoiningRule& rule) {
  const auto join = [](const FieldUse& use, int own_box, std::vector<Weighed>& takers) {
    use.output->join_beginners(takers, use.of, own_box);
  };
  for_each_own(box, sample, rule, join, [](const std::vector<Weighed>& takers, const PutSample& own) {
    add_sample(takers, own, !takers.front().accumulator->has_samples());
  });
}

void FieldState::put_instants(int box, const PutSample& sample, const JoiningRule& rule) const {
  for (const FieldUse& use : uses) {
    if (use.output->is_gathered() || use.rule != rule) continue;
    if (use.picked == nullptr) {
      use.output->put(box, sample);
      continue;
    }
    for (const PickedBox& part : (*use.picked)[static_cast<std::size_t>(box)])
      if (use.output->takes(part.number)) use.output->put(part.number, PickedSample(sample, part).put());
  }
}

}  // namespace thalweg::fields
