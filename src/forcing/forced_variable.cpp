#include "forcing/forced_variable.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "read/coverage.hpp"

namespace thalweg::forcing {

ForcedVariable::ForcedVariable(SeriesFiles& files, std::string name, int box, config::Interpolation interpolation)
    : files_(files), name_(std::move(name)), box_(box), interpolation_(interpolation) {
  if (!files_.first().variable(name_).has_records)
    fail(THALWEG_ERROR_ARGUMENT,
         "forcing '{}', variable '{}': it has no records, so that there is nothing to be got by "
         "time; get it as it is",
         files_.name(), name_);
}

void ForcedVariable::get(const Bracket& bracket, const std::function<put::Field()>& field) {
  bool has_fetched = false;
  for (const std::int64_t record : {bracket.lower, bracket.upper})
    if (find(record) == nullptr) {
      fetch(record, bracket, field);
      has_fetched = true;
    }
  const put::Field into = field();
  require_same(into);
  if (has_fetched && bracket.next && find(*bracket.next) == nullptr) read_ahead(*bracket.next, into);
  if (holds_some_) give(bracket, into);
}

// What fails here fails again, on all ranks, in the get that wants the record.
void ForcedVariable::read_ahead(std::int64_t record, const put::Field& field) {
  const SeriesFiles::Place next = files_.place_of(record);
  files_.use(*next.file);
  for (Held& held : held_) give_up(held);
  try {
    Held& held = place_for(record);
    const auto room = [&] { return room_in(held, record, field); };
    if (next.file->read_ahead(name_, {next.record, box_}, room, held.values)) held.coming = record;
  } catch (const Error& error) {
    log::debug("forcing '{}': record {} is not read ahead: {}", files_.name(), record, error.what());
  }
}

// A thread that storage holds up still has the array: then there is another one.
void ForcedVariable::give_up(Held& held) const {
  if (held.coming != -1) files_.place_of(std::exchange(held.coming, -1)).file->forget_ahead(name_, box_);
  if (held.values.use_count() > 1) held.values = std::make_shared<std::vector<std::byte>>();
}

void ForcedVariable::forget() {
  for (Held& held : held_) give_up(held);
  for (Held& held : held_) held.record = -1;
  is_settled_ = false;
}

ForcedVariable::Held* ForcedVariable::find(std::int64_t record) {
  const auto found = std::ranges::find(held_, record, &Held::record);
  return found == held_.end() ? nullptr : &*found;
}

// Where it is read ahead, or a free place.
ForcedVariable::Held& ForcedVariable::place_for(std::int64_t record) {
  const auto coming = std::ranges::find(held_, record, &Held::coming);
  if (coming != held_.end()) return *coming;
  return *std::ranges::find_if(held_, [](const Held& held) { return held.record == -1 && held.coming == -1; });
}

// All ranks hold the same records, whether they have a third array or not, so that all come to the next fetch.
void ForcedVariable::fetch(std::int64_t record, const Bracket& bracket, const std::function<put::Field()>& field) {
  for (Held& held : held_)
    if (held.record != bracket.lower && held.record != bracket.upper) held.record = -1;
  Held& held = place_for(record);
  const SeriesFiles::Place place = files_.place_of(record);
  files_.use(*place.file);
  const bool was_settled = is_settled_;
  const auto room = [&] {
    const put::Field into = field();
    if (!is_settled_) settle(into, record);
    require_same(into);
    return room_in(held, record, into);
  };
  try {
    place.file->get_into(name_, {place.record, box_}, room);
  } catch (...) {
    give_up(held);
    is_settled_ = was_settled;  // another array may be right
    throw;
  }
  held.record = record;
  held.coming = -1;
}

void ForcedVariable::settle(const put::Field& field, std::int64_t record) {
  read::Input& file = *files_.place_of(record).file;
  const read::InputVariable& of = file.variable(name_);
  const read::DeclaredVariable& lies = file.declared(of);
  const std::string where = fmt::format("forcing '{}', variable '{}'", files_.name(), name_);
  if (is_linear() && field.type != Type::float32 && field.type != Type::float64)
    fail(THALWEG_ERROR_SHAPE,
         "{}: what lies between two records is no {}: get it into an array of float32 or float64, or say "
         "'interpolation: step' or 'nearest'",
         where, name_of(field.type));
  type_ = field.type;
  extent_ = field.extent;
  holds_some_ = lies.is_held(box_) && field.data != nullptr;
  if (holds_some_) stretches_ = stretches_of(read::coverage_of(of, lies, box_, extent_, where));
  is_settled_ = true;
}

void ForcedVariable::require_same(const put::Field& field) const {
  if (field.type == type_ && (!holds_some_ || (field.data != nullptr && field.extent == extent_))) return;
  fail(
      THALWEG_ERROR_SHAPE,
      "forcing '{}', variable '{}': it was got into an array of {} of the extents ({}) first, so that it is always got "
      "into such a one, and not into one of {} of the extents ({})",
      files_.name(), name_, name_of(type_), fmt::join(extent_, ","), name_of(field.type), fmt::join(field.extent, ","));
}

// Of what is missing an interpolation has marks; otherwise the get gives what is wanted in its place.
read::Into ForcedVariable::room_in(Held& held, std::int64_t record, const put::Field& field) const {
  read::Input& file = *files_.place_of(record).file;
  std::optional<double> missing = file.missing(name_);
  if (is_linear()) {
    const read::InputVariable& of = file.variable(name_);
    held.missing = marks_of(of, file.declared(of).is_packed(), type_);
    missing = held.missing.to_put();
  }
  if (field.data == nullptr) return {field, missing};
  const auto element_bytes = static_cast<std::int64_t>(size_of(type_));
  held.values->resize(static_cast<std::size_t>(extent_.product() * element_bytes));
  return {{held.values->data(), type_, extent_, contiguous_strides(extent_, element_bytes)}, missing};
}

void ForcedVariable::give(const Bracket& bracket, const put::Field& field) {
  const Held &lower = *find(bracket.lower), &upper = *find(bracket.upper);
  auto* to = const_cast<std::byte*>(field.data);  // the array is the model's, and a get may write to it
  if (!is_linear()) return copy(lower.values->data(), stretches_, field, to);
  blend({.lower = {lower.values->data(), lower.missing},
         .upper = {upper.values->data(), upper.missing},
         .weight = bracket.weight,
         .instead = files_.first().missing(name_)},
        stretches_, field, to);
}

}  // namespace thalweg::forcing
