#include "fields/accumulator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/vectorized.hpp"
#include "fields/missing_values.hpp"
#include "fields/numbers.hpp"

namespace thalweg::fields {
namespace {

using config::Operation;

constexpr double infinity = std::numeric_limits<double>::infinity();

// What an end of a difference is that had no value. It is known by its bits, which no float32 has, because every other
// NaN is a value like any other.
constexpr std::uint64_t bits_of_no_end = 0x7ff8'6e6f'6e65'0001;
constexpr double no_end = std::bit_cast<double>(bits_of_no_end);

bool is_no_end(double end) {
  return std::bit_cast<std::uint64_t>(end) == bits_of_no_end;
}

bool is_extreme(Operation operation) {
  return operation == Operation::min || operation == Operation::max;
}

bool is_of_float32(double value) {
  return std::isnan(value) || static_cast<double>(static_cast<float>(value)) == value;
}

double start_of(Operation operation) {
  switch (operation) {
    case Operation::min: return infinity;
    case Operation::max: return -infinity;
    case Operation::difference: return no_end;
    default: return 0.0;
  }
}

// What cells have, and the values that they take, of a strip; kept in float64, but for extremes of float32. (source of
// std: West, "Updating mean and variance estimates: an improved method", 1979)
template <typename Kept, typename Number>
struct Strip {
  Kept* values;
  double* squares;  // std
  double* weights;  // of cells; null: all have the same
  const Number* x;
  std::size_t count;
  double weight;  // of the sample
  double total;   // with it
};

// A NaN is a sample like any other: the result is NaN. No branch, so that cells are taken several at once.
template <Operation operation, typename Kept>
Kept with_sample(Kept value, Kept x, double weight) {
  if constexpr (operation == Operation::min) return static_cast<int>(x < value) | static_cast<int>(x != x) ? x : value;
  if constexpr (operation == Operation::max) return static_cast<int>(x > value) | static_cast<int>(x != x) ? x : value;
  if constexpr (operation == Operation::mean) return value + weight * x;
  if constexpr (operation == Operation::sum) return value + x;
  if constexpr (operation == Operation::rms) return value + weight * (x * x);
  if constexpr (operation == Operation::count) return value + 1.0;
  if constexpr (operation == Operation::instant || operation == Operation::difference) return x;
  return value;
}

// Of a first sample that has no weight it is nothing, and so is the sample.
double part_of(double weight, double total) {
  return total == 0.0 ? 0.0 : weight / total;
}

// Numbers are taken into the function first: what is stored could be them, for all that the compiler knows.
template <Operation operation, typename Kept, typename Number>
THALWEG_VECTORIZED void take_all(const Strip<Kept, Number>& of) {
  const double weight = of.weight, part = part_of(of.weight, of.total);
  Kept* __restrict const values = of.values;
  double* __restrict const squares = of.squares;
  const Number* __restrict const numbers = of.x;
  for (std::size_t i = 0; i < of.count; ++i) {
    const Kept x = numbers[i];
    if constexpr (operation == Operation::std) {
      const double distance = x - values[i];
      values[i] += distance * part;
      squares[i] += weight * distance * (x - values[i]);
    } else {
      values[i] = with_sample<operation>(values[i], x, weight);
    }
  }
}

// holds: which cells have a value. weight_of_missing: what is added for those that have none, where cells have weights.
template <Operation operation, bool has_weights, typename Kept, typename Number>
THALWEG_VECTORIZED void take_valid(const Strip<Kept, Number>& of, const std::uint8_t* holds, double weight_of_missing) {
  const double weight = of.weight, part = part_of(of.weight, of.total);
  Kept* __restrict const values = of.values;
  double* __restrict const squares = of.squares;
  double* __restrict const weights = of.weights;
  const Number* __restrict const numbers = of.x;
  for (std::size_t i = 0; i < of.count; ++i) {
    const Kept x = numbers[i];
    const bool is_missing = holds[i] == 0;
    if constexpr (has_weights) weights[i] += is_missing ? weight_of_missing : weight;
    if constexpr (operation == Operation::std) {
      const double distance = x - values[i];
      const double own_part = has_weights ? part_of(weight, weights[i]) : part;
      const double mean = values[i] + distance * own_part;
      squares[i] = is_missing ? squares[i] : squares[i] + weight * distance * (x - mean);
      values[i] = is_missing ? values[i] : mean;
    } else {
      const Kept taken = with_sample<operation>(values[i], x, weight);
      const Kept without = operation == Operation::difference ? static_cast<Kept>(no_end) : values[i];
      values[i] = is_missing ? without : taken;
    }
  }
}

// Mostly none is, and to see that takes a third of the time of marking them.
template <typename Number, typename IsMissing>
THALWEG_VECTORIZED bool has_missing(std::span<const Number> numbers, const IsMissing& is_missing) {
  std::int64_t none = 0;
  for (const Number number : numbers) none += is_missing(number) ? 1 : 0;
  return none > 0;
}

// Which of a strip's numbers are values; returns how many are none. holds: which may be, where it is not empty.
template <typename Number, typename IsMissing>
THALWEG_VECTORIZED int mark(std::span<const Number> numbers, std::span<const std::uint8_t> holds,
                            const IsMissing& is_missing, std::uint8_t* marks) {
  const Number* __restrict const x = numbers.data();
  for (std::size_t i = 0; i < numbers.size(); ++i) marks[i] = is_missing(x[i]) ? 0 : 1;
  for (std::size_t i = 0; i < holds.size(); ++i) marks[i] &= holds[i] != 0 ? 1 : 0;
  int none = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) none += marks[i] ^ 1;
  return none;
}

// Calls use with the operation as a constant, and where extremes are kept.
template <typename Use>
void with_operation(Operation operation, double* values, float* singles, const Use& use) {
  const auto use_extremes = [&]<Operation extreme>() {
    if (singles != nullptr) return use.template operator()<extreme>(singles);
    use.template operator()<extreme>(values);
  };
  switch (operation) {
    case Operation::mean: return use.template operator()<Operation::mean>(values);
    case Operation::sum: return use.template operator()<Operation::sum>(values);
    case Operation::rms: return use.template operator()<Operation::rms>(values);
    case Operation::min: return use_extremes.template operator()<Operation::min>();
    case Operation::max: return use_extremes.template operator()<Operation::max>();
    case Operation::count: return use.template operator()<Operation::count>(values);
    case Operation::difference: return use.template operator()<Operation::difference>(values);
    case Operation::std: return use.template operator()<Operation::std>(values);
    case Operation::instant: return use.template operator()<Operation::instant>(values);
    case Operation::diurnal:  // of each part of the day it is the mean
    case Operation::once: return;
  }
}

}  // namespace

Accumulator::Accumulator(Operation operation, MissingRule missing, std::int64_t cells)
    : operation_(operation),
      missing_(std::move(missing)),
      cells_(static_cast<std::size_t>(cells)),
      squares_(operation == Operation::std ? cells_ : 0),
      begins_(operation == Operation::difference ? cells_ : 0, no_end) {
  if (is_extreme(operation))
    singles_.assign(cells_, static_cast<float>(start_of(operation)));
  else
    values_.assign(cells_, start_of(operation));
}

// From now on extremes may be any numbers.
void Accumulator::widen() {
  if (singles_.empty()) return;
  values_.assign(singles_.begin(), singles_.end());
  singles_ = {};
}

void Accumulator::add(const SampleTerms& of, std::int64_t first_cell, std::span<const double> values,
                      std::span<const std::uint8_t> holds) {
  widen();
  add_numbers(of, first_cell, values, holds);
}

void Accumulator::add(const SampleTerms& of, std::int64_t first_cell, std::span<const float> values,
                      std::span<const std::uint8_t> holds) {
  add_numbers(of, first_cell, values, holds);
}

template <typename Number>
void Accumulator::add_numbers(const SampleTerms& of, std::int64_t first_cell, std::span<const Number> values,
                              std::span<const std::uint8_t> holds) {
  StripRoom<std::uint8_t> room;
  const std::span marks = std::span(room).first(values.size());
  int none = 0;
  const bool may_have_holes = !holds.empty() || !weights_.empty() || !holes_.empty();
  if (!missing_.values.empty() && !of.is_joined)
    with_missing(missing_.values, of.is_single, [&](const auto& is_missing) {
      if (may_have_holes || has_missing(values, is_missing)) none = mark(values, holds, is_missing, marks.data());
    });
  else if (may_have_holes)
    none = mark(values, holds, [](Number) { return false; }, marks.data());
  note_holes(of.weight, first_cell, marks, none > 0);
  const auto at = [&](auto& of_cells) { return of_cells.empty() ? nullptr : of_cells.data() + first_cell; };
  with_operation(operation_, at(values_), at(singles_), [&]<Operation operation>(auto* kept) {
    using Kept = std::remove_pointer_t<decltype(kept)>;
    if constexpr (sizeof(Kept) >= sizeof(Number)) {  // the others are widened before
      // The total grows while threads add parts, whose cells have weights.
      const double total = weights_.empty() ? total_weight_ + of.weight : 0.0;
      const Strip<Kept, Number> strip{kept, at(squares_), at(weights_), values.data(), values.size(), of.weight, total};
      if (!weights_.empty()) return take_valid<operation, true>(strip, marks.data(), weight_of_missing());
      if (none > 0) return take_valid<operation, false>(strip, marks.data(), 0.0);
      take_all<operation>(strip);
    }
  });
}

// Where the same cells have no value in each sample, as on land, it is enough to know which they are; where they are
// others, each cell has a weight of its own.
void Accumulator::note_holes(double weight, std::int64_t first_cell, std::span<const std::uint8_t> marks,
                             bool has_none) {
  if (!weights_.empty() || (holes_.empty() && !has_none)) return;
  if (samples_ > 0) {
    const bool are_same =
        !holes_.empty() &&
        std::ranges::equal(marks, std::span(holes_).subspan(static_cast<std::size_t>(first_cell), marks.size()));
    if (!are_same) weigh_each_cell(first_cell, weight);
    return;
  }
  if (holes_.empty()) holes_.assign(cells_, 1);
  std::ranges::copy(marks, holes_.begin() + first_cell);
}

// Cells before this one have the sample already.
void Accumulator::weigh_each_cell(std::int64_t first_cell, double weight) {
  std::vector<double> weights(cells_);
  for (std::size_t cell = 0; cell < cells_; ++cell) {
    const bool has_sample = cell < static_cast<std::size_t>(first_cell) && (holes_.empty() || holes_[cell] != 0);
    weights[cell] = has_sample ? total_weight_ + weight : weight_of(cell);
  }
  weights_ = std::move(weights);
  holes_.clear();
}

double Accumulator::weight_of_missing() const {
  return missing_.samples == config::MissingSamples::propagate ? std::numeric_limits<double>::quiet_NaN() : 0.0;
}

// Each cell has a weight of its own from here on, and a number that a part of any type can become. One that is in no
// part has no last value. The greatest weight of the parts is the same in whatever order they come.
void Accumulator::begin_part(double weight, bool is_first) {
  widen();
  if (weights_.empty()) weigh_each_cell(0, 0.0);
  if (is_first) {
    if (operation_ == Operation::difference) std::ranges::fill(values_, no_end);
    weight_before_ = total_weight_;
    ++samples_;
  }
  total_weight_ = std::max(total_weight_, weight_before_ + weight);
}

void Accumulator::end_sample(double weight) {
  total_weight_ += weight;
  ++samples_;
}

// A cell to which nothing was put has a count, which is 0.
bool Accumulator::is_valid(std::int64_t cell, double least_valid) const {
  const double weight = weight_of(static_cast<std::size_t>(cell));
  if (weight != weight) return false;
  if (operation_ == Operation::count) return true;
  if (operation_ == Operation::difference && !has_both_ends(cell)) return false;
  constexpr double rounding = 1e-12;  // of the part that the configuration says
  return weight > 0.0 && weight >= least_valid * total_weight_ * (1.0 - rounding);
}

bool Accumulator::has_both_ends(std::int64_t cell) const {
  const auto at = static_cast<std::size_t>(cell);
  return !is_no_end(values_[at]) && !is_no_end(begins_[at]);
}

double Accumulator::result(std::int64_t cell) const {
  const auto at = static_cast<std::size_t>(cell);
  const double value = value_of(at);
  switch (operation_) {
    case Operation::mean: return value / weight_of(at);
    case Operation::rms: return std::sqrt(value / weight_of(at));
    case Operation::std: return std::sqrt(squares_[at] / weight_of(at));
    case Operation::difference: return value - begins_[at];
    default: return value;
  }
}

std::vector<std::byte> Accumulator::results(Type type, const Element& fill, double least_valid, const Linear& change,
                                            const std::vector<double>& numbers_for_none) const {
  const bool is_as_it_is = change.is_none();  // also the sign of a zero
  const std::size_t element_bytes = size_of(type);
  std::vector<std::byte> results(cells_ * element_bytes);
  for (std::int64_t cell = 0; cell < static_cast<std::int64_t>(cells_); ++cell) {
    std::byte* to = results.data() + static_cast<std::size_t>(cell) * element_bytes;
    const auto made = [&] { return is_as_it_is ? result(cell) : change.of(result(cell)); };
    if (!is_valid(cell, least_valid) || !store_result(type, to, made(), numbers_for_none))
      std::memcpy(to, fill.data(), element_bytes);
  }
  return results;
}

Accumulator::OfCells Accumulator::of_cells() const {
  std::vector<double> values = values_, weights(cells_);
  if (!singles_.empty()) values.assign(singles_.begin(), singles_.end());
  for (std::size_t cell = 0; cell < cells_; ++cell) weights[cell] = weight_of(cell);
  return {std::move(values), squares_, begins_, std::move(weights)};
}

// Cells that all have the total keep one number for it again, by which results are the same bits.
void Accumulator::restore(const Taken& taken, OfCells cells) {
  clear();
  for (std::size_t cell = 0; cell < cells_; ++cell) {
    if (!(cells.weights[cell] < 0.0)) continue;
    cells.weights[cell] = 0.0;
    cells.values[cell] = start_of(operation_);
    if (!cells.squares.empty()) cells.squares[cell] = 0.0;
    if (!cells.begins.empty()) cells.begins[cell] = no_end;
  }
  begins_ = std::move(cells.begins);
  if (taken.samples == 0) return;
  samples_ = taken.samples;
  total_weight_ = taken.weight;
  squares_ = std::move(cells.squares);
  if (is_extreme(operation_) && std::ranges::all_of(cells.values, is_of_float32)) {
    values_ = {};
    singles_.assign(cells.values.begin(), cells.values.end());
  } else {
    singles_ = {};
    values_ = std::move(cells.values);
  }
  restore_weights(std::move(cells.weights));
}

void Accumulator::restore_weights(std::vector<double> weights) {
  const auto is_total = [&](double weight) { return weight == total_weight_; };
  const auto is_hole = [none = weight_of_missing()](double weight) {
    return weight == none || (weight != weight && none != none);
  };
  if (std::ranges::all_of(weights, is_total)) return;
  if (!std::ranges::all_of(weights, [&](double weight) { return is_total(weight) || is_hole(weight); })) {
    weights_ = std::move(weights);
    return;
  }
  holes_.assign(cells_, 1);
  for (std::size_t cell = 0; cell < cells_; ++cell)
    if (!is_total(weights[cell])) holes_[cell] = 0;
}

void Accumulator::clear() {
  if (operation_ == Operation::difference && !has_samples()) std::ranges::fill(begins_, no_end);
  if (operation_ == Operation::difference && has_samples()) std::swap(begins_, values_);
  samples_ = 0;
  total_weight_ = 0.0;
  std::ranges::fill(values_, start_of(operation_));
  std::ranges::fill(singles_, static_cast<float>(start_of(operation_)));
  std::ranges::fill(squares_, 0.0);
  weights_.clear();
  holes_.clear();
}

void begin_sample(std::span<const Weighed> all, const PutSample& put, bool is_first) {
  if (put.is_whole) return;
  for (const auto& [accumulator, weight] : all) accumulator->begin_part(weight, is_first);
}

void add_values(std::span<const Weighed> all, const PutSample& put) {
  const auto add = [&](std::int64_t cell, const auto& values, std::span<const std::uint8_t> holds) {
    for (const auto& [accumulator, weight] : all)
      accumulator->add({weight, put.is_single, put.is_joined}, cell, values, holds);
  };
  if (put.are_singles())
    put.for_each_run_of_singles(add);
  else
    put.for_each_run(add);
  if (!put.is_whole) return;
  for (const auto& [accumulator, weight] : all) accumulator->end_sample(weight);
}

}  // namespace thalweg::fields
