// What the configuration says of the fields that a collection chooses, and of what is written of them in time.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/calendar.hpp"
#include "base/types.hpp"
#include "config/expression.hpp"
#include "config/region_settings.hpp"

namespace thalweg::config {

enum class MissingSamples { skip, propagate };
enum class PartialInterval { keep, drop };
enum class FileDate { start, middle, end };
enum class RepeatedPuts { error, last, add, mean };
enum class Straddle { end, split };
enum class Anchor { calendar, start, reference };

// Of samples.
constexpr Interval each_step{.steps = 1};

struct ChosenField {
  std::string from;  // its name, the last part of that, or a pattern with * and ?
  std::optional<ChosenOperation> operation;
  std::string name;                                      // of the variable; empty: the last part of the field's
  std::optional<Type> type;                              // of the variable
  std::optional<Expression> expression;                  // of fields, of which 'this' is the one above
  std::optional<Interval> sample, sample_offset;         // nothing: as the collection
  std::optional<std::vector<PartOfDimension>> region{};  // nothing: as the collection; none: all of the field
  std::string units{};                                   // of the variable; empty: those of the field
  std::optional<VerticalSettings> vertical{};            // nothing: as the collection
  // What the entry says itself; of an expression with operations the first of these.
  std::optional<ChosenOperation> own_operation() const {
    const Term* within = expression ? expression->first_operation() : nullptr;
    return within != nullptr ? within->operation : operation;
  }
  // It gathers by this operation; by_default: what the collection says.
  bool gathers(Operation by, ChosenOperation by_default) const {
    return expression && expression->first_operation() != nullptr ? expression->has(by)
                                                                  : operation.value_or(by_default).kind == by;
  }
  friend bool operator==(const ChosenField&, const ChosenField&) = default;
};

struct FieldSettings {
  std::vector<ChosenField> chosen;
  bool is_optional = false;  // fields that the program does not define are left out
  ChosenOperation operation;
  MissingSamples missing = MissingSamples::skip;
  double least_valid = 0.0;  // part of the weights of an interval
  PartialInterval partial = PartialInterval::keep;
  FileDate file_date = FileDate::start;
  Anchor anchor = Anchor::calendar;
  Straddle straddle = Straddle::end;
  RepeatedPuts repeat = RepeatedPuts::error;
  std::optional<Date> from, until;  // records are of the time between them; nothing: of all
  Interval sample = each_step;
  Interval sample_offset{};
  RegionSettings region{};

  bool have_statistics() const {
    return std::ranges::any_of(
        chosen, [this](const ChosenField& of) { return is_statistic(of.own_operation().value_or(operation).kind); });
  }
  bool gather(Operation by) const {
    return std::ranges::any_of(chosen, [&](const ChosenField& of) { return of.gathers(by, operation); });
  }
  // Of which steps it takes what is put: those that come to these times, counted from the anchor.
  Interval sample_of(const ChosenField& of) const { return of.sample.value_or(sample); }
  const std::vector<PartOfDimension>& region_of(const ChosenField& of) const {
    return of.region ? *of.region : region.parts;
  }
  const VerticalSettings& vertical_of(const ChosenField& of) const {
    return of.vertical ? *of.vertical : region.vertical;
  }
  Interval offset_of(const ChosenField& of) const {
    return of.sample_offset.value_or(of.sample ? Interval{} : sample_offset);
  }
};

}  // namespace thalweg::config
