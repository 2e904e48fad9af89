// Operations in time.
#pragma once

namespace thalweg::config {

// What a record has of the samples of its interval; once: a variable without records.
enum class Operation { instant, mean, min, max, sum, rms, std, count, once };
constexpr bool is_statistic(Operation operation) {
  return operation != Operation::instant && operation != Operation::once;
}

}  // namespace thalweg::config
