#include "fields/derived_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "fields/cells_put.hpp"
#include "fields/evaluated.hpp"

namespace thalweg::fields {
namespace {

std::vector<std::int64_t> cells_of(const HeldField& held) {
  std::vector<std::int64_t> cells;
  for (const Box& box : held.boxes) cells.push_back(box.count.product());
  return cells;
}

PutSample made_sample(const Strips& values, const SampleWeight& weight, bool is_whole) {
  return {.sample = values, .holding = {}, .part = nullptr, .is_single = false, .weight = weight, .is_whole = is_whole};
}

}  // namespace

void DerivedFields::add(int field, const std::vector<Field>& fields, const HeldOf& held_of, int along) {
  if (derived_.contains(field)) return;
  const Field& made = fields[static_cast<std::size_t>(field)];
  Derived& derived = derived_[field];
  derived.text = fmt::format("{}'{}'", made.levels ? "" : "expression ", made.name);
  derived.formula = made.formula;
  derived.cells = cells_of(held_of(field));
  derived.taken_step.assign(derived.cells.size(), -1);
  for (const int number : made.formula->operands) {
    const Field& of = fields[static_cast<std::size_t>(number)];
    operand_of(number, of, held_of(number)).of.push_back(field);
  }
  if (made.levels) derived.columns = columns_of(made.levels, held_of(made.formula->operands.front()), along);
}

DerivedFields::Operand& DerivedFields::operand_of(int number, const Field& field, const HeldField& held) {
  Operand& operand = operands_[number];
  if (operand.name.empty()) {
    operand.name = field.name;
    operand.missing = field.missing_values();
    operand.is_static = field.is_static;
    operand.boxes.resize(held.boxes.size());
    operand.cells = cells_of(held);
  }
  return operand;
}

void DerivedFields::define_missing(int field, std::vector<double> values) {
  if (const auto found = operands_.find(field); found != operands_.end()) found->second.missing = std::move(values);
}

void DerivedFields::await(const std::vector<int>& operands, const std::vector<Field>& fields, const HeldOf& held_of) {
  for (auto& [number, operand] : operands_) operand.is_awaited = false;
  for (const int number : operands)
    operand_of(number, fields[static_cast<std::size_t>(number)], held_of(number)).is_awaited = true;
}

MadeOfColumns DerivedFields::columns_of(std::shared_ptr<const Levels> levels, const HeldField& held, int along) const {
  std::vector<Index> extents;
  for (const Box& box : held.boxes) extents.push_back(in_memory_order(box.count, held.variable.rules));
  MadeOfColumns made(std::move(levels), std::move(extents),
                     held.variable.rules.memory_place[static_cast<std::size_t>(along)]);
  for (const auto& [field, other] : derived_)
    if (other.columns) made.join(*other.columns);
  return made;
}

bool DerivedFields::want(int field) const {
  const auto found = operands_.find(field);
  if (found == operands_.end()) return false;
  const Operand& operand = found->second;
  if (operand.is_static) return !std::ranges::all_of(operand.boxes, &Kept::is_whole);
  return operand.is_awaited || std::ranges::any_of(operand.of, wants_);
}

bool DerivedFields::is_put(const Operand& operand, int box) const {
  const Kept& kept = operand.at(box);
  return operand.is_static ? kept.step >= 0 : kept.step == step_;
}

// A static field, for which a second put changes nothing: parts of one step are one put.
bool DerivedFields::has_been_put(const Kept& kept) const {
  return kept.is_whole || (kept.step >= 0 && kept.step != step_);
}

// A static field has its value for good.
bool DerivedFields::is_whole(const Operand& operand, int box) const {
  const Kept& kept = operand.at(box);
  return is_put(operand, box) && (kept.is_whole || (operand.is_static && kept.step < step_));
}

bool DerivedFields::is_complete(const Derived& derived, int box, int but_for) const {
  return std::ranges::all_of(derived.formula->operands,
                             [&](int operand) { return operand == but_for || is_whole(operands_.at(operand), box); });
}

void DerivedFields::require_weight(int field, int box, double weight) const {
  const auto found = operands_.find(field);
  if (found == operands_.end() || found->second.is_static) return;
  const Operand& own = found->second;
  for (const int number : own.of) {
    const Derived& derived = derived_.at(number);
    if (!derived.has(box)) continue;
    for (const int other : derived.formula->operands) {
      const Operand& operand = operands_.at(other);
      if (operand.is_static || !is_put(operand, box)) continue;
      const double others = operand.at(box).weight.by_time;
      if (others != weight)
        fail(
            THALWEG_ERROR_ARGUMENT,
            "field '{}': put with a weight of {}, but '{}' with {} in the same step; both are in {}, whose fields have "
            "one weight",
            own.name, weight, operand.name, others, derived.text);
    }
  }
}

// Whose values are no more exact than float32 if all parts are no more.
DerivedFields::Keeping DerivedFields::begin_keeping(Operand& operand, int box, const PutSample& put) const {
  Kept& kept = operand.at(box);
  const bool goes_on = put.part != nullptr && (operand.is_static ? kept.step >= 0 : kept.step == step_);
  kept.step = step_;
  kept.is_whole = put.part == nullptr;
  kept.is_single = put.is_single && (!goes_on || kept.is_single);
  kept.weight = put.weight;
  if (put.part != nullptr) kept.values.begin_part(operand.cells[static_cast<std::size_t>(box)], !goes_on);
  return {&operand.missing, &kept.values};
}

void DerivedFields::keep(Operand& operand, int box, const PutSample& put) const {
  const Keeping keeping = begin_keeping(operand, box, put);
  if (put.part != nullptr) return keeping.keep(put);
  keeping.values->keep(put, operand.missing, operand.cells[static_cast<std::size_t>(box)]);
}

// Null: nothing is made of what is put of the field. A static one is put once: a second put changes nothing.
DerivedFields::Operand* DerivedFields::taking_operand(int field, int box) {
  const auto found = operands_.find(field);
  if (found == operands_.end()) return nullptr;
  Operand& operand = found->second;
  return operand.is_static && has_been_put(operand.at(box)) ? nullptr : &operand;
}

std::vector<int> DerivedFields::wanted_of(const Operand& operand, int box) const {
  std::vector<int> wanted;
  std::ranges::copy_if(operand.of, std::back_inserter(wanted),
                       [&](int number) { return derived_.at(number).has(box) && wants_(number); });
  return wanted;
}

DerivedFields::Keeping DerivedFields::begin_part(int field, int box, const PutSample& part) {
  Operand* const operand = taking_operand(field, box);
  if (operand == nullptr || (!operand->is_kept() && wanted_of(*operand, box).empty())) return {};
  return begin_keeping(*operand, box, part);
}

// What is put last is not kept: it is in the caches, and goes from there into all expressions that have waited for it.
void DerivedFields::put(int field, int box, const PutSample& put) {
  Operand* const operand = taking_operand(field, box);
  if (operand == nullptr) return;
  const std::vector<int> wanted = wanted_of(*operand, box);
  if (wanted.empty() && !operand->is_kept()) return;
  const auto is_last_of = [&](int number) { return is_complete(derived_.at(number), box, field); };
  const auto is_live_in = [&](int number) { return can_be_live(derived_.at(number), field, put); };
  const bool is_live =
      !operand->is_kept() && std::ranges::all_of(wanted, is_last_of) && std::ranges::all_of(wanted, is_live_in);
  if (!is_live) keep(*operand, box, put);
  for (const int number : wanted)
    if (is_last_of(number)) take(number, box, field, is_live ? &put : nullptr);
}

void DerivedFields::take(int field, int box, int live_field, const PutSample* live) {
  Derived& derived = derived_.at(field);
  if (derived.columns) return take_of_columns(field, box, live);
  const std::vector<int>& operands = derived.formula->operands;
  std::vector<const KeptValues*> kept;
  SampleWeight weight;
  for (const int number : operands) {
    const Operand& operand = operands_.at(number);
    const bool is_live = live != nullptr && number == live_field;
    const Kept& of = operand.boxes[static_cast<std::size_t>(box)];
    kept.push_back(is_live ? nullptr : &of.values);
    if (!operand.is_static) weight = is_live ? live->weight : of.weight;
  }
  const auto place = std::ranges::find(operands, live_field) - operands.begin();
  const Operand* live_operand = live == nullptr ? nullptr : &operands_.at(live_field);
  const Evaluated values(
      derived.formula->evaluator, std::move(kept), derived.cells[static_cast<std::size_t>(box)],
      {static_cast<std::size_t>(place), live, live_operand == nullptr ? nullptr : &live_operand->missing});
  derived.taken_step[static_cast<std::size_t>(box)] = step_;
  take_(field, box, made_sample(values, weight, values.are_all()));
  derived.faults += values.faults();
}

// A coordinate is searched, for which it has to be there as a whole.
bool DerivedFields::can_be_live(const Derived& derived, int field, const PutSample& put) const {
  if (!derived.columns) return true;
  return derived.columns->levels().coordinate != field && put.array != nullptr && put.holding.empty();
}

void DerivedFields::take_of_columns(int field, int box, const PutSample* live) {
  Derived& derived = derived_.at(field);
  const MadeOfColumns& columns = *derived.columns;
  const Operand& source = operands_.at(derived.formula->operands.front());
  const Kept& kept = source.at(box);
  const int number = columns.levels().coordinate;
  const Kept* other = number < 0 ? nullptr : &operands_.at(number).at(box);
  MadeOfColumns::Other of_other;
  if (other != nullptr) of_other = {&other->values, other->step, other->is_single};
  std::vector<double> results(static_cast<std::size_t>(derived.cells[static_cast<std::size_t>(box)]));
  if (live != nullptr)
    columns.make(box, columns.columns_of(live->array->array()), source.missing, live->is_single, of_other, results);
  else
    columns.make(box, columns.columns_of(kept.values, box), {}, false, of_other, results);
  derived.taken_step[static_cast<std::size_t>(box)] = step_;
  CellsPut put;
  if (other != nullptr) columns.leave_out(other->values, box, results.size(), put);
  if (live == nullptr) columns.leave_out(kept.values, box, results.size(), put);
  const SampleWeight& own = live != nullptr ? live->weight : kept.weight;
  take_(field, box,
        made_sample(StripsOf(results, put), source.is_static && other != nullptr ? other->weight : own, put.empty()));
}

void DerivedFields::end_step() {
  for (auto& [field, derived] : derived_)
    for (int box = 0; box < std::ssize(derived.cells); ++box)
      if (derived.taken_step[static_cast<std::size_t>(box)] != step_ && wants_(field)) end_step_of(field, derived, box);
}

void DerivedFields::end_step_of(int field, Derived& derived, int box) {
  bool has_new = false;
  std::vector<std::string> put, lacking;
  for (const int number : derived.formula->operands) {
    const Operand& operand = operands_.at(number);
    if (!is_put(operand, box)) lacking.push_back(operand.name);
    if (operand.at(box).step != step_) continue;
    has_new = true;
    if (!operand.is_static) put.push_back(operand.name);
  }
  if (has_new && lacking.empty()) return take(field, box, -1, nullptr);
  if (put.empty() || std::exchange(derived.has_said, true)) return;
  log::warning(
      "rank {}, {}: '{}' was put in a step, but not '{}', so that the step has no value of it; this is "
      "said once",
      rank_, derived.text, fmt::join(put, "', '"), fmt::join(lacking, "', '"));
}

void DerivedFields::say_faults() const {
  for (const auto& [field, derived] : derived_)
    if (derived.faults > 0)
      log::warning("rank {}, {}: {} of all steps had no finite result, and are missing", rank_, derived.text,
                   counted(derived.faults, "cell"));
}

}  // namespace thalweg::fields
