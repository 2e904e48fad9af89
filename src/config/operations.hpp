// Operations in time.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace thalweg::config {

// What a record has of the samples of its interval; once: a variable without records.
enum class Operation { instant, mean, min, max, sum, rms, std, count, once };
constexpr bool is_statistic(Operation operation) {
  return operation != Operation::instant && operation != Operation::once;
}

inline constexpr std::array operations_in_order = {Operation::instant, Operation::mean,  Operation::min,
                                                   Operation::max,     Operation::sum,   Operation::rms,
                                                   Operation::std,     Operation::count, Operation::once};

// As the configuration says it.
constexpr std::string_view name_of(Operation operation) {
  constexpr std::array<std::string_view, 9> names = {"instant", "mean", "min",   "max", "sum",
                                                     "rms",     "std",  "count", "once"};
  return names[static_cast<std::size_t>(operation)];
}

}  // namespace thalweg::config
