// Operations in time.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace thalweg::config {

// What a record has of the samples of its interval; once: a variable without records.
enum class Operation { instant, mean, min, max, sum, rms, std, count, difference, diurnal, once };
constexpr bool is_statistic(Operation operation) {
  return operation != Operation::instant && operation != Operation::once;
}

inline constexpr std::array operations_in_order = {
    Operation::instant, Operation::mean,  Operation::min,        Operation::max,     Operation::sum, Operation::rms,
    Operation::std,     Operation::count, Operation::difference, Operation::diurnal, Operation::once};

// As the configuration says it.
constexpr std::string_view name_of(Operation operation) {
  constexpr std::array<std::string_view, 11> names = {"instant", "mean",  "min",        "max",     "sum", "rms",
                                                      "std",     "count", "difference", "diurnal", "once"};
  return names[static_cast<std::size_t>(operation)];
}

// As an entry says it.
struct ChosenOperation {
  Operation kind = Operation::instant;
  int day_parts = 0;  // diurnal

  constexpr ChosenOperation(Operation of = Operation::instant, int parts = 0) : kind(of), day_parts(parts) {}
  friend bool operator==(const ChosenOperation&, const ChosenOperation&) = default;
};

}  // namespace thalweg::config
