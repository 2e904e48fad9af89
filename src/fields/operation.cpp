#include "fields/operation.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "config/parse_value.hpp"

namespace thalweg::fields {
namespace {

using config::Operation;

// In the order of the operations.
constexpr std::array<std::string_view, 11> cell_methods = {
    "point", "mean", "minimum", "maximum", "sum", "root_mean_square", "standard_deviation", "", "", "mean", ""};

bool keeps_values(Operation operation) {
  return operation == Operation::min || operation == Operation::max || !config::is_statistic(operation);
}

}  // namespace

std::string_view cell_method_of(Operation operation) {
  return cell_methods[static_cast<std::size_t>(operation)];
}

Type type_of_result(Operation operation, Type field) {
  if (operation == Operation::count) return Type::int32;
  return keeps_values(operation) || is_real(field) ? field : Type::float64;
}

// Values pass through float64, which has no room for all integers of 64 bits.
bool can_have(Operation operation, Type result) {
  if (result == Type::character || result == Type::int64 || result == Type::uint64) return false;
  return is_real(result) || operation == Operation::count || keeps_values(operation);
}

std::string interval_text(const Interval& interval) {
  if (interval.months != 0) return config::format_interval(interval);
  const double seconds = interval.seconds;
  struct Unit {
    double seconds;
    std::string_view name;
  };
  constexpr std::array<Unit, 4> units = {{{86400.0, "day"}, {3600.0, "hour"}, {60.0, "minute"}, {1.0, "second"}}};
  const auto* unit = units.begin();
  while (unit + 1 != units.end() && (seconds < unit->seconds || std::fmod(seconds, unit->seconds) != 0.0)) ++unit;
  const double count = seconds / unit->seconds;
  return fmt::format("{} {}{}", count, unit->name, count == 1.0 ? "" : "s");
}

}  // namespace thalweg::fields
