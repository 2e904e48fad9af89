// What the configuration says of the fields that a collection chooses, and of what is written of them in time.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace thalweg::config {

// What a record has of the samples of its interval; once: a variable without records.
enum class Operation { instant, mean, min, max, sum, rms, std, count, once };
constexpr bool is_statistic(Operation operation) {
  return operation != Operation::instant && operation != Operation::once;
}
enum class MissingSamples { skip, propagate };
enum class PartialInterval { keep, drop };
enum class FileDate { start, middle, end };
enum class Anchor { calendar, start, reference };

struct ChosenField {
  std::string from;  // its name, the last part of that, or a pattern with * and ?
  std::optional<Operation> operation;
  std::string name;          // of the variable; empty: the last part of the field's
  std::optional<Type> type;  // of the variable
  friend bool operator==(const ChosenField&, const ChosenField&) = default;
};

struct FieldSettings {
  std::vector<ChosenField> chosen;
  bool is_optional = false;  // fields that the program does not define are left out
  Operation operation = Operation::instant;
  MissingSamples missing = MissingSamples::skip;
  double least_valid = 0.0;  // part of the weights of an interval
  PartialInterval partial = PartialInterval::keep;
  FileDate file_date = FileDate::start;
  Anchor anchor = Anchor::calendar;

  bool have_statistics() const {
    return std::ranges::any_of(
        chosen, [this](const ChosenField& of) { return is_statistic(of.operation.value_or(operation)); });
  }
};

}  // namespace thalweg::config
