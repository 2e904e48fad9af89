#include "fields/whole_columns.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/vectorized.hpp"
#include "fields/missing_values.hpp"
#include "fields/strip.hpp"

namespace thalweg::fields {
namespace {

using config::WholeColumn;

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr bool is_sum(WholeColumn whole) {
  return whole == WholeColumn::mean || whole == WholeColumn::sum;
}

// NaN has no part, and neither has what has no weight. No branch, so that columns are taken several at once.
template <WholeColumn whole>
THALWEG_VECTORIZED void take_level(std::span<const double> numbers, const double* __restrict weights,
                                   double* __restrict values, double* __restrict totals) {
  const double* __restrict const of = numbers.data();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double x = of[i], value = values[i];
    const bool has_part = static_cast<int>(x == x) & static_cast<int>(weights[i] > 0.0);
    double taken = value + weights[i] * x;
    if constexpr (whole == WholeColumn::min) taken = x < value ? x : value;
    if constexpr (whole == WholeColumn::max) taken = x > value ? x : value;
    values[i] = has_part ? taken : value;
    totals[i] += has_part ? weights[i] : 0.0;
  }
}

// So many columns side by side, level after level.
template <WholeColumn whole>
class StripOfColumns {
 public:
  StripOfColumns() {
    values_.fill(is_sum(whole) ? 0.0 : whole == WholeColumn::min ? infinity : -infinity);
    totals_.fill(0.0);
  }

  void add(std::span<const double> numbers, const double* weights) {
    take_level<whole>(numbers, weights, values_.data(), totals_.data());
  }

  void finish(std::span<double> results) const {
    for (std::size_t i = 0; i < results.size(); ++i) {
      const double value = whole == WholeColumn::mean ? values_[i] / totals_[i] : values_[i];
      results[i] = totals_[i] > 0.0 ? value : none;
    }
  }

 private:
  StripRoom<double> values_, totals_;
};

void leave_missing(std::span<double> numbers, const std::vector<double>& missing, bool is_single) {
  if (missing.empty()) return;
  with_missing(missing, is_single, [&](const auto& is_missing) {
    for (double& number : numbers) number = is_missing(number) ? none : number;
  });
}

template <WholeColumn whole>
void make(const Columns& field, const std::vector<double>& missing, bool is_single,
          const std::optional<Columns>& weights, std::span<double> results) {
  StripRoom<double> room, weight;
  weight.fill(1.0);
  for (std::size_t first = 0; first < results.size(); first += room.size()) {
    const std::size_t count = std::min(room.size(), results.size() - first);
    const auto begin = static_cast<std::int64_t>(first), columns = static_cast<std::int64_t>(count);
    const std::span numbers = std::span<double>(room).first(count);
    StripOfColumns<whole> strip;
    for (std::int64_t level = 0; level < field.levels(); ++level) {
      field.load(level, begin, columns, room.data());
      if (weights) weights->load(level, begin, columns, weight.data());
      leave_missing(numbers, missing, is_single);
      strip.add(numbers, weight.data());
    }
    strip.finish(results.subspan(first, count));
  }
}

}  // namespace

void make_of_columns(WholeColumn whole, const Columns& field, const std::vector<double>& missing, bool is_single,
                     const std::optional<Columns>& weights, std::span<double> results) {
  switch (whole) {
    case WholeColumn::mean: return make<WholeColumn::mean>(field, missing, is_single, weights, results);
    case WholeColumn::sum: return make<WholeColumn::sum>(field, missing, is_single, weights, results);
    case WholeColumn::min: return make<WholeColumn::min>(field, missing, is_single, weights, results);
    case WholeColumn::max: return make<WholeColumn::max>(field, missing, is_single, weights, results);
  }
}

}  // namespace thalweg::fields
