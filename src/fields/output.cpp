#include "fields/output.hpp"

#include <cstring>

#include "fields/numbers.hpp"
#include "session/open_collection.hpp"

namespace thalweg::fields {
namespace {

// A value that stands for none, by the attributes of the field. (source: CF conventions, section 2.5.1)
std::optional<double> missing_value_of(const Field& field) {
  for (const char* name : {"missing_value", "_FillValue"})
    if (const catalog::Attribute* found = catalog::find(field.attributes, name); found != nullptr && found->type)
      return number_of(*found);
  return std::nullopt;
}

}  // namespace

Output::Output(session::Session& session, session::Collection& collection, const Field& field, Chosen chosen)
    : session_(session), collection_(collection), chosen_(std::move(chosen)) {
  held_ = held();
  was_put_.assign(held_.boxes.size(), false);
  if (!is_gathered()) return;
  const config::FieldSettings& settings = collection.declaration.settings().fields;
  for (const Box& box : held_.boxes)
    gathered_.emplace_back(chosen_.operation, MissingRule{settings.missing, missing_value_of(field)},
                           box.count.product());
}

HeldField Output::held() const {
  const session::Declared& declared = session_.core().declared;
  HeldField held{session::boxes_to_put(collection_, number(), declared.decompositions),
                 session::variable_of(collection_, number(), session_.roles().rank, declared.decompositions)};
  held.variable.type = Type::float64;
  return held;
}

// What is put once is taken once.
bool Output::takes(int box) {
  if (chosen_.operation != config::Operation::once || box < 0 || box >= std::ssize(was_put_)) return true;
  const auto number = static_cast<std::size_t>(box);
  if (was_put_[number]) return false;
  was_put_[number] = true;
  return true;
}

void Output::put(int box, const put::Field& array) {
  if (takes(box)) session_.put(collection_, chosen_.variable, box, array);
}

void Output::put(int box, const Sample& sample, std::span<const std::uint8_t> holding, const Part& part) {
  const bool is_once = chosen_.operation == config::Operation::once;
  if (is_once ? was_put_[static_cast<std::size_t>(box)] : !is_due()) return;
  const std::size_t element_bytes = size_of(chosen_.type);
  std::vector<std::byte>& joined = joined_[box];
  if (joined.empty()) {
    const Element fill = collection_.declaration.fill_of(number());
    joined.resize(static_cast<std::size_t>(part.box.product()) * element_bytes);
    for (std::size_t at = 0; at < joined.size(); at += element_bytes)
      std::memcpy(joined.data() + at, fill.data(), element_bytes);
  }
  sample.for_each_strip([&](std::int64_t first_cell, std::span<const double> values) {
    part.for_each_run(first_cell, std::ssize(values), [&](std::int64_t cell, std::int64_t from, std::int64_t cells) {
      std::byte* to = joined.data() + static_cast<std::size_t>(cell) * element_bytes;
      for (std::int64_t i = from; i < from + cells; ++i, to += element_bytes)
        if (holding.empty() || holding[static_cast<std::size_t>(first_cell + i)] != 0)
          store_number(chosen_.type, to, values[static_cast<std::size_t>(i)]);
    });
  });
}

void Output::end_step() {
  for (const auto& [box, bytes] : std::exchange(joined_, {}))
    if (takes(box)) put_bytes(box, bytes);
}

void Output::begin_step(double end_s) {
  if (!is_put_ && collection_.schedule.interval()->is_before(end_s)) put_results();
}

void Output::put_results() {
  const Element fill = collection_.declaration.fill_of(number());
  const double least_valid = collection_.declaration.settings().fields.least_valid;
  for (std::size_t b = 0; b < gathered_.size(); ++b) {
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
