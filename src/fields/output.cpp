#include "fields/output.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "fields/numbers.hpp"
#include "session/open_collection.hpp"

namespace thalweg::fields {
Output::Output(session::Session& session, session::Collection& collection, const Field& field, Chosen chosen)
    : session_(session), collection_(collection), chosen_(std::move(chosen)) {
  held_ = held();
  was_put_.assign(held_.boxes.size(), false);
  if (!is_gathered()) return;
  const config::FieldSettings& settings = collection.declaration.settings().fields;
  for (const Box& box : held_.boxes)
    gathered_.emplace_back(chosen_.operation, MissingRule{settings.missing, field.missing_values()},
                           box.count.product());
}

HeldField Output::held() const {
  const session::Declared& declared = session_.core().declared;
  return {session::boxes_to_put(collection_, number(), declared.decompositions),
          session::variable_of(collection_, number(), session_.roles().rank, declared.decompositions)};
}

// What is put once is taken once.
bool Output::takes(int box) const {
  if (chosen_.operation != config::Operation::once) return is_due();
  return box < 0 || box >= std::ssize(was_put_) || !was_put_[static_cast<std::size_t>(box)];
}

bool Output::wants_now() const {
  if (is_gathered()) return true;
  return chosen_.operation == config::Operation::once ? std::ranges::find(was_put_, false) != was_put_.end() : is_due();
}

void Output::require(int box, const put::Field& array) const {
  if (is_gathered() || !takes(box) || held_.boxes.empty()) return;
  put::require_box(held_.variable, box, held_.boxes.size());
  put::checked_view(held_.variable, array, held_.boxes[static_cast<std::size_t>(box)]);
}

void Output::put(int box, const put::Field& array) {
  const bool is_once = chosen_.operation == config::Operation::once;
  if (is_once && !takes(box)) return;
  session_.put(collection_, chosen_.variable, box, array);
  if (is_once && box >= 0 && box < std::ssize(was_put_)) was_put_[static_cast<std::size_t>(box)] = true;
}

void Output::put(int box, const Sample& sample, std::span<const std::uint8_t> holding, const Part& part) {
  if (!takes(box)) return;
  const std::size_t element_bytes = size_of(chosen_.type);
  const Element fill = collection_.declaration.fill_of(number());
  std::vector<std::byte>& joined = joined_[box];
  if (joined.empty()) {
    joined.resize(static_cast<std::size_t>(part.box.product()) * element_bytes);
    for (std::size_t at = 0; at < joined.size(); at += element_bytes)
      std::memcpy(joined.data() + at, fill.data(), element_bytes);
  }
  sample.for_each_strip([&](std::int64_t first_cell, std::span<const double> values) {
    part.for_each_run(first_cell, std::ssize(values), [&](std::int64_t cell, std::int64_t from, std::int64_t cells) {
      std::byte* to = joined.data() + static_cast<std::size_t>(cell) * element_bytes;
      for (std::int64_t i = from; i < from + cells; ++i, to += element_bytes) {
        const bool holds = holding.empty() || holding[static_cast<std::size_t>(first_cell + i)] != 0;
        if (holds && !store_number(chosen_.type, to, values[static_cast<std::size_t>(i)]))
          std::memcpy(to, fill.data(), element_bytes);
      }
    });
  });
}

void Output::end_step() {
  for (const auto& [box, bytes] : std::exchange(joined_, {})) {
    put_bytes(box, bytes);
    if (chosen_.operation == config::Operation::once) was_put_[static_cast<std::size_t>(box)] = true;
  }
}

void Output::begin_step(double end_s) {
  if (!is_put_ && collection_.schedule.interval()->is_before(end_s)) put_results();
}

void Output::put_results() {
  const Element fill = collection_.declaration.fill_of(number());
  const double least_valid = collection_.declaration.settings().fields.least_valid;
  for (std::size_t b = 0; b < gathered_.size(); ++b) {
    if (!gathered_[b].has_samples()) continue;  // as a variable that was not put, which `when-not-put` speaks of
    put_bytes(static_cast<int>(b), gathered_[b].results(chosen_.type, fill, least_valid));
    gathered_[b].clear();
  }
  is_put_ = true;
}

// Values of the variable's type, in the order of the model's memory without halo.
void Output::put_bytes(int box, const std::vector<std::byte>& bytes) {
  const Index extent = in_memory_order(held_.boxes[static_cast<std::size_t>(box)].count, held_.variable.rules);
  const Index stride = contiguous_strides(extent, static_cast<std::int64_t>(size_of(chosen_.type)));
  session_.put(collection_, chosen_.variable, box, {bytes.data(), chosen_.type, extent, stride});
}

void Output::end_interval() {
  if (!is_put_) put_results();
  is_put_ = false;
}

}  // namespace thalweg::fields
