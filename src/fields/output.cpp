#include "fields/output.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "base/log.hpp"
#include "base/names.hpp"
#include "fields/numbers.hpp"

namespace thalweg::fields {
Output::Output(session::Session& session, session::Collection& collection, const std::vector<Field>& fields,
               Chosen chosen, const Region& region)
    : session_(session),
      collection_(collection),
      chosen_(std::move(chosen)),
      formula_(fields[static_cast<std::size_t>(chosen_.field)].formula),
      sampling_(collection.declaration.settings(), session.settings(), chosen_.sample, chosen_.sample_offset) {
  if (chosen_.day_parts != 0) day_parts_.emplace(chosen_.day_parts, session.settings().reference_date);
  const int leading = day_parts_ ? 1 : 0;
  held_ = held_in(session_, collection_, number(), leading);
  const Field& field = fields[static_cast<std::size_t>(chosen_.field)];
  if (region.has_any(split_names(field.dims)))
    part_ = field_in_region(session_, collection_, number(), field, region, leading);
  was_put_.assign(held_.boxes.size(), false);
  if (!is_gathered()) return;
  const config::FieldSettings& settings = collection.declaration.settings().fields;
  for (const auto& [of, operation] : gathered_of(chosen_))
    for (const Box& box : held_.boxes)
      gathered_.emplace_back(operation,
                             MissingRule{settings.missing, fields[static_cast<std::size_t>(of)].missing_values()},
                             box.count.product());
  if (settings.straddle == config::Straddle::split) next_ = gathered_;
}

// What is put once is taken once.
bool Output::takes(int own_box) const {
  if (chosen_.operation != config::Operation::once) return is_due();
  return own_box < 0 || own_box >= std::ssize(was_put_) || !was_put_[static_cast<std::size_t>(own_box)];
}

bool Output::wants_now() const {
  return chosen_.operation == config::Operation::once ? std::ranges::find(was_put_, false) != was_put_.end() : is_due();
}

void Output::require(int box, const put::Field& array) const {
  const HeldField& held = part_ ? part_->whole : held_;
  if (is_gathered() || held.boxes.empty() || !(part_ ? wants_now() : takes(box))) return;
  put::require_box(held.variable, box, held.boxes.size());
  put::checked_view(held.variable, array, held.boxes[static_cast<std::size_t>(box)]);
}

void Output::put(int box, const put::Field& array) {
  if (!part_) return put_own(box, array);
  const HeldField& held = part_->whole;
  if (!wants_now() || !put::require_held(held.variable, held.boxes.size())) return;
  put::require_box(held.variable, box, held.boxes.size());
  const Box& cells = held.boxes[static_cast<std::size_t>(box)];
  const Sample all(array, put::checked_view(held.variable, array, cells), cells.count, held.variable.rules);
  for (const PickedBox& picked : part_->boxes[static_cast<std::size_t>(box)])
    put_own(picked.number, PickedArray(all.array(), picked).field());
}

void Output::put_own(int own_box, const put::Field& array) {
  const bool is_once = chosen_.operation == config::Operation::once;
  if (is_once && !takes(own_box)) return;
  session_.put(collection_, chosen_.variable, own_box, array);
  if (is_once && own_box >= 0 && own_box < std::ssize(was_put_)) was_put_[static_cast<std::size_t>(own_box)] = true;
}

void Output::put(int own_box, const PutSample& put) {
  if (!takes(own_box)) return;
  const std::size_t element_bytes = size_of(chosen_.type);
  const Element fill = collection_.declaration.fill_of(number());
  std::vector<std::byte>& joined = joined_[own_box];
  if (joined.empty()) {
    joined.resize(static_cast<std::size_t>(held_.boxes[static_cast<std::size_t>(own_box)].count.product()) *
                  element_bytes);
    for (std::size_t at = 0; at < joined.size(); at += element_bytes)
      std::memcpy(joined.data() + at, fill.data(), element_bytes);
  }
  put.for_each_run([&](std::int64_t cell, std::span<const double> values, std::span<const std::uint8_t> holding) {
    std::byte* to = joined.data() + static_cast<std::size_t>(cell) * element_bytes;
    for (std::size_t i = 0; i < values.size(); ++i, to += element_bytes) {
      const bool is_none = formula_ && values[i] != values[i];
      const bool holds = !is_none && (holding.empty() || holding[i] != 0);
      if (holds && !store_number(chosen_.type, to, values[i])) std::memcpy(to, fill.data(), element_bytes);
    }
  });
}

void Output::end_step() {
  for (const auto& [box, bytes] : std::exchange(joined_, {})) {
    put_bytes(box, bytes);
    if (chosen_.operation == config::Operation::once) was_put_[static_cast<std::size_t>(box)] = true;
  }
}

// Nobody knows when a step ends of which the program has not said it.
bool Output::takes_step(const StepOfTime& step) const {
  return sampling_.takes_each_step() || !step.is_known() ||
         sampling_.takes(step.begin_s(), step.end_s(), collection_.schedule.interval()->run_start_s());
}

void Output::begin_step(double end_s) {
  if (!is_put_ && next_.empty() && collection_.schedule.interval()->is_before(end_s)) put_results();
}

// The other part of it is of the next interval.
double Output::part_within(const StepOfTime& step) const {
  const files::RecordInterval& interval = *collection_.schedule.interval();
  if (next_.empty() || !interval.is_before(step.end_s())) return 1.0;
  return (interval.end_s() - step.begin_s()) / (step.end_s() - step.begin_s());
}

void Output::join_takers(std::vector<Weighed>& takers, std::size_t of, int own_box, const StepOfTime& step,
                         const SampleWeight& weight) {
  const double middle_s = step.begin_s() + (step.end_s() - step.begin_s()) / 2;
  if (day_parts_ && static_cast<std::size_t>(day_parts_->part_at(middle_s)) != of) return;
  const double whole = sampling_.takes_each_step() ? weight.by_time : weight.by_count, part = part_within(step);
  const std::size_t at = of * held_.boxes.size() + static_cast<std::size_t>(own_box);
  takers.push_back({&gathered_[at], whole * part});
  if (part < 1.0) takers.push_back({&next_[at], whole * (1.0 - part)});
}

// A run that goes on within an interval has the value at its begin.
void Output::join_beginners(std::vector<Weighed>& takers, std::size_t of, int own_box) {
  const files::RecordInterval& interval = *collection_.schedule.interval();
  if (gathered_of(chosen_)[of].operation != config::Operation::difference || interval.begin_s() < session_.now_s())
    return;
  takers.push_back({&gathered_[of * held_.boxes.size() + static_cast<std::size_t>(own_box)], 1.0});
}

void Output::begin_run() {
  if (!is_gathered() || collection_.schedule.interval()->begin_s() < session_.now_s()) return;
  for (Accumulator& each : gathered_)
    if (each.has_samples()) each.clear();
}

void Output::put_results() {
  const Element fill = collection_.declaration.fill_of(number());
  const std::size_t boxes = held_.boxes.size();
  for (std::size_t b = 0; b < boxes; ++b) {
    const bool is_any = has_samples(b);
    // Else as a variable that was not put, which `when-not-put` speaks of.
    if (is_any) put_bytes(static_cast<int>(b), results(b, fill));
    has_results_ = has_results_ || is_any;
    for (std::size_t at = b; at < gathered_.size(); at += boxes) gathered_[at].clear();
  }
  is_put_ = true;
}

// A formula has no result without each of the things that it is made of.
bool Output::has_samples(std::size_t box) const {
  int some = 0, all = 0;
  for (std::size_t at = box; at < gathered_.size(); at += held_.boxes.size(), ++all)
    some += gathered_[at].has_samples() ? 1 : 0;
  return day_parts_ ? some > 0 : some == all;
}

std::vector<std::byte> Output::results(std::size_t box, const Element& fill) {
  if (!chosen_.gathered.empty()) return results_of_formula(box, fill);
  const double least_valid = collection_.declaration.settings().fields.least_valid;
  std::vector<std::byte> results;  // of parts of the day, one after the other
  for (std::size_t at = box; at < gathered_.size(); at += held_.boxes.size()) {
    const std::vector<std::byte> of_one = gathered_[at].results(chosen_.type, fill, least_valid);
    results.insert(results.end(), of_one.begin(), of_one.end());
  }
  return results;
}

std::vector<std::byte> Output::results_of_formula(std::size_t box, const Element& fill) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Element as_none{};
  std::memcpy(as_none.data(), &none, sizeof none);
  const double least_valid = collection_.declaration.settings().fields.least_valid;
  std::vector<std::vector<std::byte>> gathered;
  for (std::size_t at = box; at < gathered_.size(); at += held_.boxes.size())
    gathered.push_back(gathered_[at].results(Type::float64, as_none, least_valid));
  const auto cells = static_cast<std::size_t>(held_.boxes[box].count.product());
  const std::size_t element_bytes = size_of(chosen_.type);
  std::vector<std::byte> results(cells * element_bytes);
  std::vector<const double*> operands(gathered.size());
  std::array<double, Evaluator::strip> values;
  Evaluator::Scratch scratch;
  for (std::size_t first = 0; first < cells; first += values.size()) {
    const std::size_t count = std::min(values.size(), cells - first);
    for (std::size_t o = 0; o < operands.size(); ++o)
      operands[o] = reinterpret_cast<const double*>(gathered[o].data()) + first;
    faults_ += formula_->evaluator.evaluate(operands, count, values.data(), scratch);
    for (std::size_t i = 0; i < count; ++i) {
      std::byte* to = results.data() + (first + i) * element_bytes;
      if (values[i] != values[i] || !store_number(chosen_.type, to, values[i]))
        std::memcpy(to, fill.data(), element_bytes);
    }
  }
  return results;
}

void Output::say_faults() const {
  if (faults_ == 0) return;
  log::warning("rank {}, collection '{}', variable '{}': {} of '{}' had no finite result, and are missing",
               session_.roles().rank, collection_.name, chosen_.variable, counted(faults_, "cell"), chosen_.expression);
}

// Values of the variable's type, in the order of the model's memory without halo.
void Output::put_bytes(int box, const std::vector<std::byte>& bytes) {
  Index extent;
  if (day_parts_) extent.push_back(day_parts_->count());
  const Index cells = in_memory_order(held_.boxes[static_cast<std::size_t>(box)].count, held_.variable.rules);
  for (int d = 0; d < cells.rank(); ++d) extent.push_back(cells[d]);
  const Index stride = contiguous_strides(extent, static_cast<std::int64_t>(size_of(chosen_.type)));
  session_.put(collection_, chosen_.variable, box, {bytes.data(), chosen_.type, extent, stride});
}

bool Output::end_interval() {
  if (!is_put_) put_results();
  is_put_ = false;
  if (!next_.empty()) std::swap(gathered_, next_);
  return std::exchange(has_results_, false);
}

}  // namespace thalweg::fields
