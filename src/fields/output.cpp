#include "fields/output.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/names.hpp"

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

bool is_due(const session::Collection& collection) {
  return collection.upcoming_share().schedule.upcoming().due;
}

}  // namespace

Output::Output(session::Session& session, session::Collection& collection, const std::vector<Field>& fields,
               Chosen chosen, const Region& region, std::optional<OutputVariable::OnGrid> grid)
    : variable_(session, collection, std::move(chosen), std::move(grid)), region_(region) {
  const Chosen& of = variable_.chosen();
  const Field& field = fields[static_cast<std::size_t>(of.field)];
  const HeldField& held = variable_.held();
  if (region.has_any(split_names(field.dims)))
    part_ = field_in_region(session, collection, variable_.number(), field, region, variable_.leading());
  if (config::is_statistic(of.operation)) gathered_.emplace(session, variable_, fields);
  const std::vector<double>* turned = region.turned(field, fields);
  changed_ = ChangedCells(
      of, field,
      turned == nullptr ? std::vector<double>{} : along_first(*turned, held.boxes[0].count, held.variable.rules),
      variable_.remapped() != nullptr);
  was_put_.assign(held.boxes.size(), false);
}

void Output::take_over(Output& earlier) {
  if (gathered_ && earlier.gathered_) gathered_->take_over(*earlier.gathered_);
  if (!earlier.collection().is_sketch()) return;
  was_put_ = earlier.was_put_;
  waiting_ = std::move(earlier.waiting_);
  variable_.take_over(earlier.variable_);
}

// What is put once is taken once.
bool Output::takes(int own_box) const {
  if (chosen().operation != config::Operation::once) return is_due(collection());
  return own_box < 0 || own_box >= std::ssize(was_put_) || !was_put_[static_cast<std::size_t>(own_box)];
}

bool Output::wants_now() const {
  return chosen().operation == config::Operation::once ? std::ranges::find(was_put_, false) != was_put_.end()
                                                       : is_due(collection());
}

void Output::require(int box, const put::Field& array) const {
  const HeldField& held = part_ ? part_->whole : variable_.held();
  if (is_gathered() || held.boxes.empty() || !(part_ ? wants_now() : takes(box))) return;
  put::require_box(held.variable, box, held.boxes.size());
  put::checked_view(held.variable, array, held.boxes[static_cast<std::size_t>(box)]);
}

void Output::put(int box, const put::Field& array) {
  if (!part_ && !changed_.are_any()) return put_own(box, array);
  const HeldField& held = part_ ? part_->whole : variable_.held();
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
  const bool is_once = chosen().operation == config::Operation::once;
  if (is_once && (!takes(own_box) || waiting_.contains(own_box))) return;
  variable_.put(own_box, array);
  if (is_once && own_box >= 0 && own_box < std::ssize(was_put_)) was_put_[static_cast<std::size_t>(own_box)] = true;
}

std::vector<std::byte>& Output::joined(int own_box) {
  std::vector<std::byte>& joined = waiting_[own_box];
  if (!joined.empty()) return joined;
  const auto [type, fill] = variable_.kept_as();
  const std::size_t element_bytes = size_of(type);
  joined.resize(static_cast<std::size_t>(variable_.held().boxes[static_cast<std::size_t>(own_box)].count.product()) *
                element_bytes);
  for (std::size_t at = 0; at < joined.size(); at += element_bytes)
    std::memcpy(joined.data() + at, fill.data(), element_bytes);
  return joined;
}

void Output::join(std::vector<std::byte>& joined, const PutSample& put) const {
  const auto [type, fill] = variable_.kept_as();
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
  if (gathered_) return gathered_->end_step();
  for (const auto& [box, bytes] : std::exchange(waiting_, {})) {
    variable_.put(box, bytes);
    if (chosen().operation == config::Operation::once) was_put_[static_cast<std::size_t>(box)] = true;
  }
}

}  // namespace thalweg::fields
