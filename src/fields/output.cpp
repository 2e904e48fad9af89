#include "fields/output.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/log.hpp"
#include "base/names.hpp"
#include "fields/numbers.hpp"

namespace thalweg::fields {
namespace {

// What each cell of a box has of what there is along its first dimension, in the order of memory.
std::vector<double> along_first(const std::vector<double>& values, const Index& count, const put::FieldRules& rules) {
  const Index extent = in_memory_order(count, rules), stride = contiguous_strides(extent, 1);
  const int first = rules.memory_place[0];
  std::vector<double> of_cells;
  for (std::int64_t cell = 0; cell < extent.product(); ++cell)
    of_cells.push_back(values[static_cast<std::size_t>(cell / stride[first] % extent[first])]);
  return of_cells;
}

int number_of(const session::Collection& collection, const Chosen& chosen) {
  return collection.declaration.variables().find(chosen.variable);
}

// As which values are kept until they are put, and what stands for none.
struct KeptAs {
  Type type;
  Element fill;
};

KeptAs kept_as(const session::Collection& collection, const Chosen& chosen, bool is_remapped) {
  if (is_remapped) return {Type::float64, no_value()};
  return {chosen.type, collection.declaration.fill_of(number_of(collection, chosen))};
}

bool is_due(const session::Collection& collection) {
  return collection.upcoming_share().schedule.upcoming().due;
}

}  // namespace

Output::Output(session::Session& session, session::Collection& collection, const std::vector<Field>& fields,
               Chosen chosen, const Region& region, std::optional<OnGrid> grid)
    : session_(session),
      collection_(collection),
      chosen_(std::move(chosen)),
      region_(region),
      sampling_(collection.declaration.settings(), session.settings(), chosen_.sample, chosen_.sample_offset) {
  const int leading = chosen_.day_parts != 0 ? 1 : 0;
  if (grid) {
    held_ = std::move(grid->held);
    remapped_ = std::move(grid->remapped);
  } else {
    held_ = held_in(session_, collection_, number_of(collection_, chosen_), leading);
  }
  const Field& field = fields[static_cast<std::size_t>(chosen_.field)];
  if (region.has_any(split_names(field.dims)))
    part_ = field_in_region(session_, collection_, number_of(collection_, chosen_), field, region, leading);
  const std::vector<double>* turned = region.turned(field, fields);
  changed_ = ChangedCells(
      chosen_, field,
      turned == nullptr ? std::vector<double>{} : along_first(*turned, held_.boxes[0].count, held_.variable.rules),
      remapped_.has_value());
  was_put_.assign(held_.boxes.size(), false);
  if (!is_gathered()) return;
  const config::FieldSettings& settings = collection.declaration.settings().fields;
  std::vector<std::int64_t> cells;
  for (const Box& box : held_.boxes) cells.push_back(box.count.product());
  gathered_ = GatheredBoxes(chosen_, fields, settings, session.settings().reference_date, cells);
  if (settings.straddle == config::Straddle::split) next_ = gathered_;
}

void Output::take_over(Output& earlier) {
  gathered_.take_over(earlier.gathered_);
  if (next_) next_->take_over(*earlier.next_);
  if (!earlier.collection_.is_sketch()) return;
  has_ended_ = earlier.has_ended_;
  has_results_ = earlier.has_results_;
  was_put_ = earlier.was_put_;
  waiting_ = std::move(earlier.waiting_);
  if (remapped_ && earlier.remapped_) return remapped_->take_over(*earlier.remapped_);
  session::Definitions::take_over(collection_, chosen_.variable, earlier.collection_, earlier.chosen_.variable);
}

// What is put once is taken once.
bool Output::takes(int own_box) const {
  if (chosen_.operation != config::Operation::once) return is_due(collection_);
  return own_box < 0 || own_box >= std::ssize(was_put_) || !was_put_[static_cast<std::size_t>(own_box)];
}

bool Output::wants_now() const {
  return chosen_.operation == config::Operation::once ? std::ranges::find(was_put_, false) != was_put_.end()
                                                      : is_due(collection_);
}

void Output::require(int box, const put::Field& array) const {
  const HeldField& held = part_ ? part_->whole : held_;
  if (is_gathered() || held.boxes.empty() || !(part_ ? wants_now() : takes(box))) return;
  put::require_box(held.variable, box, held.boxes.size());
  put::checked_view(held.variable, array, held.boxes[static_cast<std::size_t>(box)]);
}

void Output::put(int box, const put::Field& array) {
  if (!part_ && !changed_.are_any()) return put_own(box, array);
  const HeldField& held = part_ ? part_->whole : held_;
  if (!wants_now() || !put::require_held(held.variable, held.boxes.size())) return;
  put::require_box(held.variable, box, held.boxes.size());
  const Box& whole = held.boxes[static_cast<std::size_t>(box)];
  const Sample all(array, put::checked_view(held.variable, array, whole), whole.count, held.variable.rules);
  const auto put_cells = [&](int own_box, const put::Field& cells) {
    if (!changed_.are_any()) return put_own(own_box, cells);
    const Sample sample(cells);
    if (takes(own_box)) join(joined(own_box), {sample, {}, nullptr, array.type == Type::float32, {}});
  };
  if (!part_) return put_cells(box, all.array());
  for (const PickedBox& picked : part_->boxes[static_cast<std::size_t>(box)]) {
    const PickedArray cells(all.array(), picked);
    put_cells(picked.number, cells.field());
  }
}

void Output::put_own(int own_box, const put::Field& array) {
  const bool is_once = chosen_.operation == config::Operation::once;
  if (is_once && (!takes(own_box) || waiting_.contains(own_box))) return;
  session_.put(collection_, chosen_.variable, own_box, array);
  if (is_once && own_box >= 0 && own_box < std::ssize(was_put_)) was_put_[static_cast<std::size_t>(own_box)] = true;
}

std::vector<std::byte>& Output::joined(int own_box) {
  std::vector<std::byte>& joined = waiting_[own_box];
  if (!joined.empty()) return joined;
  const auto [type, fill] = kept_as(collection_, chosen_, remapped_.has_value());
  const std::size_t element_bytes = size_of(type);
  joined.resize(static_cast<std::size_t>(held_.boxes[static_cast<std::size_t>(own_box)].count.product()) *
                element_bytes);
  for (std::size_t at = 0; at < joined.size(); at += element_bytes)
    std::memcpy(joined.data() + at, fill.data(), element_bytes);
  return joined;
}

void Output::join(std::vector<std::byte>& joined, const PutSample& put) const {
  const auto [type, fill] = kept_as(collection_, chosen_, remapped_.has_value());
  const std::size_t element_bytes = size_of(type);
  put.for_each_run([&](std::int64_t cell, std::span<const double> values, std::span<const std::uint8_t> holding) {
    std::byte* to = joined.data() + static_cast<std::size_t>(cell) * element_bytes;
    for (std::size_t i = 0; i < values.size(); ++i, to += element_bytes) {
      const bool holds = !changed_.is_none(values[i], put) && (holding.empty() || holding[i] != 0);
      if (holds && !changed_.store(type, to, cell + static_cast<std::int64_t>(i), values[i], put))
        std::memcpy(to, fill.data(), element_bytes);
    }
  });
}

void Output::end_step() {
  for (const auto& [box, bytes] : std::exchange(waiting_, {})) {
    put_bytes(box, bytes);
    if (chosen_.operation == config::Operation::once) was_put_[static_cast<std::size_t>(box)] = true;
  }
}

// Nobody knows when a step ends of which the program has not said it.
bool Output::takes_step(const StepOfTime& step) const {
  if (step.is_known() && !collection_.schedule.interval()->takes(step.end_s())) return false;
  return sampling_.takes_each_step() || !step.is_known() ||
         sampling_.takes(step.begin_s(), step.end_s(), collection_.schedule.interval()->run_start_s());
}

void Output::join_takers(std::vector<Weighed>& takers, std::size_t of, int own_box, const StepOfTime& step,
                         const SampleWeight& weight) {
  const files::RecordInterval& interval = *collection_.schedule.interval();
  const double begin_s = step.begin_s(), end_s = step.end_s(), length_s = end_s - begin_s;
  const bool is_beyond = interval.is_before(end_s);
  // Any thread may be the first that puts in the step, and none but one may put into records.
  if (is_beyond && !next_ && !has_ended_) {
    const auto [type, fill] = kept_as(collection_, chosen_, remapped_.has_value());
    has_results_ =
        gathered_.end(type, fill, [&](int box, std::vector<std::byte> results) { waiting_[box] = std::move(results); });
    has_ended_ = true;
  }
  if (!gathered_.takes(of, begin_s + length_s / 2)) return;
  const double whole = sampling_.takes_each_step() ? weight.by_time : weight.by_count;
  const double part = is_beyond && next_ ? (interval.end_s() - begin_s) / length_s : 1.0;  // that is within it
  const auto box = static_cast<std::size_t>(own_box);
  takers.push_back({&gathered_.of(of)[box], whole * part});
  if (part < 1.0) takers.push_back({&next_->of(of)[box], whole * (1.0 - part)});
}

void Output::join_beginners(std::vector<Weighed>& takers, std::size_t of, int own_box) {
  if (!takes_beginning(of)) return;
  takers.push_back({&gathered_.of(of)[static_cast<std::size_t>(own_box)], 1.0});
}

void Output::begin_run() {
  for (std::size_t of = 0; of < gathered_of(chosen_).size(); ++of)
    for (Accumulator& each : gathered_.of(of))
      if (takes_beginning(of) && each.has_samples()) each.clear();
}

// A run that goes on within an interval has the value at its begin.
bool Output::takes_beginning(std::size_t of) const {
  if (gathered_of(chosen_)[of].operation != config::Operation::difference) return false;
  const double slack_s = files::tolerance_of(session_.settings().time_step_s);
  return std::abs(collection_.schedule.interval()->begin_s() - session_.now_s()) <= slack_s;
}

void Output::say_faults() const {
  const std::int64_t faults = gathered_.faults() + (next_ ? next_->faults() : 0);
  if (faults == 0) return;
  log::warning("rank {}, collection '{}', variable '{}': {} of '{}' had no finite result, and are missing",
               session_.roles().rank, collection_.name, chosen_.variable, counted(faults, "cell"), chosen_.expression);
}

// Values of the variable's type, in the order of the model's memory without halo.
void Output::put_bytes(int box, const std::vector<std::byte>& bytes) {
  if (remapped_) return remapped_->keep(box, bytes);
  Index extent;
  if (gathered_.parts() != 0) extent.push_back(gathered_.parts());
  const Index cells = in_memory_order(held_.boxes[static_cast<std::size_t>(box)].count, held_.variable.rules);
  for (int d = 0; d < cells.rank(); ++d) extent.push_back(cells[d]);
  const Index stride = contiguous_strides(extent, static_cast<std::int64_t>(size_of(chosen_.type)));
  session_.put(collection_, chosen_.variable, box, {bytes.data(), chosen_.type, extent, stride});
}

bool Output::end_interval() {
  // Boxes without results are as of a variable that was not put, which `when-not-put` speaks of.
  if (!has_ended_) {
    const auto [type, fill] = kept_as(collection_, chosen_, remapped_.has_value());
    has_results_ =
        gathered_.end(type, fill, [&](int box, const std::vector<std::byte>& results) { put_bytes(box, results); });
  }
  has_ended_ = false;
  if (next_) std::swap(gathered_, *next_);
  return std::exchange(has_results_, false);
}

}  // namespace thalweg::fields
