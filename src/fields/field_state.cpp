#include "fields/field_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace thalweg::fields {

void FieldState::hold(const Field& field, const Output& output, int rank) {
  if (held.variable.where.empty()) {
    held = output.part() ? output.part()->whole : output.of_variable();
    held.variable.where = fmt::format("rank {}, field '{}'", rank, field.name);
    put.resize(held.boxes.size());
  }
  is_gathered = is_gathered || (output.is_gathered() && !field.is_static);
  is_single = field.has_single_values();
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

void FieldState::add_use(Output& output, std::size_t of, const JoiningRule& rule) {
  const PickedBoxes* const own = output.part() ? &output.part()->boxes : nullptr;
  const auto is_same = [own](const PickedBoxes* other) {
    return other == own || (other != nullptr && own != nullptr && *other == *own);
  };
  auto known = std::ranges::find_if(picked_, is_same);
  if (known == picked_.end()) known = picked_.insert(picked_.end(), own);
  uses.push_back({&output, of, rule, *known});
}

std::vector<Weighed> FieldState::takers_of(const StepOfTime& step, const PickedBoxes* picked, int own_box,
                                           const SampleWeight& weight, const JoiningRule& rule) const {
  std::vector<Weighed> takers;
  for (const FieldUse& use : uses) {
    if (use.picked != picked || use.rule != rule) continue;
    if (!use.output->is_gathered() || !use.output->takes_step(step)) continue;
    use.output->begin_step(step.end_s());
    use.output->join_takers(takers, use.of, own_box, step, weight);
  }
  return takers;
}

void FieldState::take_sample(const StepOfTime& step, int box, const PutSample& sample, bool is_first,
                             const JoiningRule& rule) {
  for (const PickedBoxes* picked : picked_) {
    if (picked == nullptr) {
      add_sample(takers_of(step, nullptr, box, sample.weight, rule), sample, is_first);
      continue;
    }
    for (const PickedBox& part : (*picked)[static_cast<std::size_t>(box)]) {
      const std::vector<Weighed> takers = takers_of(step, picked, part.number, sample.weight, rule);
      if (!takers.empty()) add_sample(takers, PickedSample(sample, part).put(), is_first);
    }
  }
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
