#include "forcing/forced_variable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "read/coverage.hpp"

namespace thalweg::forcing {

ForcedVariable::ForcedVariable(const SeriesFiles& files, std::string name, config::Interpolation interpolation)
    : files_(files), name_(std::move(name)), interpolation_(interpolation) {
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
  if (has_fetched && bracket.next && find(*bracket.next) == nullptr) read_ahead(*bracket.next);
  if (holds_some_) give(bracket, into);
}

// What fails here fails again, on all ranks, in the get that wants the record.
void ForcedVariable::read_ahead(std::int64_t record) const {
  const SeriesFiles::Place next = files_.place_of(record);
  try {
    next.file->read_ahead(name_, next.record);
  } catch (const Error& error) {
    log::debug("forcing '{}': record {} is not read ahead: {}", files_.name(), record, error.what());
  }
}

void ForcedVariable::forget() {
  for (Held& held : held_) held.record = -1;
  is_settled_ = false;
}

ForcedVariable::Held* ForcedVariable::find(std::int64_t record) {
  const auto found = std::ranges::find(held_, record, &Held::record);
  return found == held_.end() ? nullptr : &*found;
}

// Into the place of one that the bracket does without. Of what is missing an interpolation makes NaN, to know it again.
void ForcedVariable::fetch(std::int64_t record, const Bracket& bracket, const std::function<put::Field()>& field) {
  Held& held = *std::ranges::find_if(held_, [&](const Held& of) {
    return of.record == -1 || (of.record != bracket.lower && of.record != bracket.upper);
  });
  held.record = -1;
  const SeriesFiles::Place place = files_.place_of(record);
  const std::optional<double> missing =
      is_linear() ? std::optional(std::numeric_limits<double>::quiet_NaN()) : place.file->missing(name_);
  const auto room = [&] {
    const put::Field into = field();
    if (!is_settled_) settle(into, record);
    require_same(into);
    return room_in(held, into);
  };
  place.file->get(name_, {place.record, 0, missing}, room);
  held.record = record;
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
  if (lies.boxes() > 1)
    fail(THALWEG_ERROR_SHAPE,
         "{}: this rank has {} boxes by its decomposition, and what is got by time fills one; declare a decomposition "
         "of one box a rank, and open the forcing again for each box more",
         where, lies.boxes());
  type_ = field.type;
  extent_ = field.extent;
  holds_some_ = lies.is_held() && field.data != nullptr;
  if (holds_some_) stretches_ = stretches_of(read::coverage_of(of, lies, extent_, where));
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

put::Field ForcedVariable::room_in(Held& held, const put::Field& field) const {
  if (field.data == nullptr) return field;
  const auto element_bytes = static_cast<std::int64_t>(size_of(type_));
  held.values.resize(static_cast<std::size_t>(extent_.product() * element_bytes));
  return {held.values.data(), type_, extent_, contiguous_strides(extent_, element_bytes)};
}

void ForcedVariable::give(const Bracket& bracket, const put::Field& field) {
  Records records{
      .lower = find(bracket.lower)->values.data(), .upper = nullptr, .weight = bracket.weight, .missing = {}};
  if (is_linear()) {
    records.upper = find(bracket.upper)->values.data();
    records.missing = files_.first().missing(name_);
  }
  // The array is the model's, and a get may write to it.
  blend(records, stretches_, field, const_cast<std::byte*>(field.data));
}

}  // namespace thalweg::forcing
