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

template <typename Join>
Taking FieldState::taking_by(int box, const JoiningRule& rule, const Join& join) const {
  Taking taking;
  const auto add = [&](const PickedBoxes* boxes, int own_box, const PickedBox* picked) {
    std::vector<Weighed> takers;
    for (const FieldUse& use : uses)
      if (use.picked == boxes && use.rule == rule && use.output->is_gathered())
        join(*use.output->gathered(), use.of, own_box, takers);
    if (!takers.empty()) taking.add(std::move(takers), picked);
  };
  for (const PickedBoxes* boxes : picked_) {
    if (boxes == nullptr)
      add(boxes, box, nullptr);
    else
      for (const PickedBox& part : (*boxes)[static_cast<std::size_t>(box)]) add(boxes, part.number, &part);
  }
  return taking;
}

Taking FieldState::begin_taking(const StepOfTime& step, int box, const PutSample& sample, bool is_first,
                                const JoiningRule& rule) const {
  Taking taking =
      taking_by(box, rule, [&](GatheredOutput& output, std::size_t of, int own_box, std::vector<Weighed>& takers) {
        if (output.takes_step(step)) output.join_takers(takers, of, own_box, step, sample.weight);
      });
  taking.begin_sample(sample, is_first);
  return taking;
}

Taking FieldState::begin_taking_beginning(int box, const PutSample& sample, const JoiningRule& rule) const {
  Taking taking =
      taking_by(box, rule, [](GatheredOutput& output, std::size_t of, int own_box, std::vector<Weighed>& takers) {
        output.join_beginners(takers, of, own_box);
      });
  taking.begin_beginning(sample);
  return taking;
}

void FieldState::add_instants(Taking& taking, int box, const JoiningRule& rule) const {
  for (const FieldUse& use : uses) {
    if (use.output->is_gathered() || use.rule != rule) continue;
    if (use.picked == nullptr) {
      if (use.output->takes(box)) taking.add(*use.output, box, nullptr);
      continue;
    }
    for (const PickedBox& part : (*use.picked)[static_cast<std::size_t>(box)])
      if (use.output->takes(part.number)) taking.add(*use.output, part.number, &part);
  }
}

}  // namespace thalweg::fields
