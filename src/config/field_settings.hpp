// What the configuration says of the fields that a collection chooses, and of what is written of them in time.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "config/expression.hpp"

namespace thalweg::config {

enum class MissingSamples { skip, propagate };
enum class PartialInterval { keep, drop };
enum class FileDate { start, middle, end };
enum class Anchor { calendar, start, reference };

struct ChosenField {
  std::string from;  // its name, the last part of that, or a pattern with * and ?
  std::optional<Operation> operation;
  std::string name;                      // of the variable; empty: the last part of the field's
  std::optional<Type> type;              // of the variable
  std::optional<Expression> expression;  // of fields, of which 'this' is the one above
  // What the entry says itself; of an expression with operations the first of these.
  std::optional<Operation> own_operation() const {
    const Term* within = expression ? expression->first_operation() : nullptr;
    return within != nullptr ? within->operation : operation;
  }
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
        chosen, [this](const ChosenField& of) { return is_statistic(of.own_operation().value_or(operation)); });
  }
};

}  // namespace thalweg::config
