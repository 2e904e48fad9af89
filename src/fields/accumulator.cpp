#include "fields/accumulator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

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

double start_of(Operation operation) {
  switch (operation) {
    case Operation::min: return infinity;
    case Operation::max: return -infinity;
    case Operation::difference: return no_end;
    default: return 0.0;
  }
}

// What cells have, and the values that they take, of a strip. (source of std: West, "Updating mean and variance
// estimates: an improved method", 1979)
struct Strip {
  double* values;
  double* squares;  // std
  double* weights;  // of cells; null: all have the same
  const double* x;
  std::size_t count;
  double weight;  // of the sample
  double total;   // with it
};

// A NaN is a sample like any other: the result is NaN. No branch, so that cells are taken several at once.
template <Operation operation>
double with_sample(double value, double x, double weight) {
  if constexpr (operation == Operation::mean) return value + weight * x;
  if constexpr (operation == Operation::sum) return value + x;
  if constexpr (operation == Operation::rms) return value + weight * (x * x);
  if constexpr (operation == Operation::min) return static_cast<int>(x < value) | static_cast<int>(x != x) ? x : value;
  if constexpr (operation == Operation::max) return static_cast<int>(x > value) | static_cast<int>(x != x) ? x : value;
  if constexpr (operation == Operation::count) return value + 1.0;
  if constexpr (operation == Operation::instant || operation == Operation::difference) return x;
  return value;
}

// Of a first sample that has no weight it is nothing, and so is the sample.
double part_of(double weight, double total) {
  return total == 0.0 ? 0.0 : weight / total;
}

// Numbers are taken into the function first: what is stored could be them, for all that the compiler knows.
template <Operation operation>
void take_all(const Strip& of) {
  const double weight = of.weight, part = part_of(of.weight, of.total);
  double* __restrict const values = of.values;
  double* __restrict const squares = of.squares;
  const double* __restrict const x = of.x;
  for (std::size_t i = 0; i < of.count; ++i) {
    if constexpr (operation == Operation::std) {
      const double distance = x[i] - values[i];
      values[i] += distance * part;
      squares[i] += weight * distance * (x[i] - values[i]);
    } else {
      values[i] = with_sample<operation>(values[i], x[i], weight);
    }
  }
}

// missing(i): cell i has no value. weight_of_missing: what is added for such a one.
template <Operation operation, typename Missing>
void take_valid(const Strip& of, const Missing& missing, double weight_of_missing) {
  const double weight = of.weight;
  double* __restrict const values = of.values;
  double* __restrict const squares = of.squares;
  double* __restrict const weights = of.weights;
  const double* __restrict const x = of.x;
  for (std::size_t i = 0; i < of.count; ++i) {
    const bool is_missing = missing(i);
    weights[i] += is_missing ? weight_of_missing : weight;
    if constexpr (operation == Operation::std) {
      const double distance = x[i] - values[i];
      const double mean = values[i] + distance * part_of(weight, weights[i]);
      squares[i] = is_missing ? squares[i] : squares[i] + weight * distance * (x[i] - mean);
      values[i] = is_missing ? values[i] : mean;
    } else {
      const double taken = with_sample<operation>(values[i], x[i], weight);
      const double without = operation == Operation::difference ? no_end : values[i];
      values[i] = is_missing ? without : taken;
    }
  }
}

// Calls use with the operation as a constant.
template <typename Use>
void with_operation(Operation operation, const Use& use) {
  switch (operation) {
    case Operation::mean: return use.template operator()<Operation::mean>();
    case Operation::sum: return use.template operator()<Operation::sum>();
    case Operation::rms: return use.template operator()<Operation::rms>();
    case Operation::min: return use.template operator()<Operation::min>();
    case Operation::max: return use.template operator()<Operation::max>();
    case Operation::count: return use.template operator()<Operation::count>();
    case Operation::difference: return use.template operator()<Operation::difference>();
    case Operation::std: return use.template operator()<Operation::std>();
    case Operation::instant: return use.template operator()<Operation::instant>();
    case Operation::diurnal:  // of each part of the day it is the mean
    case Operation::once: return;
  }
}

}  // namespace

Accumulator::Accumulator(Operation operation, MissingRule missing, std::int64_t cells)
    : operation_(operation),
      missing_(missing),
      values_(static_cast<std::size_t>(cells), start_of(operation)),
      squares_(operation == Operation::std ? static_cast<std::size_t>(cells) : 0),
      begins_(operation == Operation::difference ? static_cast<std::size_t>(cells) : 0, no_end) {}

bool Accumulator::has_missing(std::span<const double> values, bool is_single) const {
  if (missing_.values.empty()) return false;
  return with_missing(missing_.values, is_single, [&](const auto& is_missing) {
    int none = 0;
    for (const double value : values) none += static_cast<int>(is_missing(value));
    return none > 0;
  });
}

void Accumulator::add(const SampleTerms& of, std::int64_t first_cell, std::span<const double> values,
                      std::span<const std::uint8_t> holds) {
  const bool is_masked = std::ranges::find(holds, 0) != holds.end();
  if (weights_.empty() && (is_masked || has_missing(values, of.is_single))) begin_weights(first_cell, of.weight);
  const Strip strip{values_.data() + first_cell,
                    squares_.empty() ? nullptr : squares_.data() + first_cell,
                    weights_.empty() ? nullptr : weights_.data() + first_cell,
                    values.data(),
                    values.size(),
                    of.weight,
                    weights_.empty() ? total_weight_ + of.weight : 0.0};
  with_operation(operation_, [&]<Operation operation>() {
    if (strip.weights == nullptr) return take_all<operation>(strip);
    const auto take = [&](const auto& missing) { take_valid<operation>(strip, missing, weight_of_missing()); };
    if (missing_.values.empty())
      return is_masked ? take([&](std::size_t i) { return holds[i] == 0; }) : take([](std::size_t) { return false; });
    with_missing(missing_.values, of.is_single, [&](const auto& is_missing) {
      if (is_masked)
        take([&](std::size_t i) { return static_cast<int>(holds[i] == 0) | static_cast<int>(is_missing(values[i])); });
      else
        take([&](std::size_t i) { return is_missing(values[i]); });
    });
  });
}

// Cells before this one have the sample already.
void Accumulator::begin_weights(std::int64_t first_cell, double weight) {
  weights_.assign(values_.size(), total_weight_);
  std::fill_n(weights_.begin(), first_cell, total_weight_ + weight);
}

double Accumulator::weight_of_missing() const {
  return missing_.samples == config::MissingSamples::propagate ? std::numeric_limits<double>::quiet_NaN() : 0.0;
}

// Each cell has a weight of its own from here on. One that is in no part has no last value. The greatest weight of the
// parts is the same in whatever order they come.
void Accumulator::begin_part(double weight, bool is_first) {
  if (weights_.empty()) weights_.assign(values_.size(), total_weight_);
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
  const double weight = weight_of(cell);
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
  const double value = values_[static_cast<std::size_t>(cell)];
  switch (operation_) {
    case Operation::mean: return value / weight_of(cell);
    case Operation::rms: return std::sqrt(value / weight_of(cell));
    case Operation::std: return std::sqrt(squares_[static_cast<std::size_t>(cell)] / weight_of(cell));
    case Operation::difference: return value - begins_[static_cast<std::size_t>(cell)];
    default: return value;
  }
}

std::vector<std::byte> Accumulator::results(Type type, const Element& fill, double least_valid, const Linear& change,
                                            const std::vector<double>& numbers_for_none) const {
  const bool is_as_it_is = change.is_none();  // also the sign of a zero
  const std::size_t element_bytes = size_of(type);
  std::vector<std::byte> results(values_.size() * element_bytes);
  for (std::int64_t cell = 0; cell < std::ssize(values_); ++cell) {
    std::byte* to = results.data() + static_cast<std::size_t>(cell) * element_bytes;
    const auto made = [&] { return is_as_it_is ? result(cell) : change.of(result(cell)); };
    if (!is_valid(cell, least_valid) || !store_result(type, to, made(), numbers_for_none))
      std::memcpy(to, fill.data(), element_bytes);
  }
  return results;
}

Accumulator::OfCells Accumulator::of_cells() const {
  return {values_, squares_, begins_, weights_.empty() ? std::vector<double>(values_.size(), total_weight_) : weights_};
}

// Cells that all have the total keep one number for it again, by which results are the same bits.
void Accumulator::restore(const Taken& taken, OfCells cells) {
  clear();
  for (std::size_t cell = 0; cell < values_.size(); ++cell) {
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
  values_ = std::move(cells.values);
  squares_ = std::move(cells.squares);
  if (std::ranges::any_of(cells.weights, [&](double weight) { return weight != total_weight_; }))
    weights_ = std::move(cells.weights);
}

void Accumulator::clear() {
  if (operation_ == Operation::difference && !has_samples()) std::ranges::fill(begins_, no_end);
  if (operation_ == Operation::difference && has_samples()) std::swap(begins_, values_);
  samples_ = 0;
  total_weight_ = 0.0;
  std::ranges::fill(values_, start_of(operation_));
  std::ranges::fill(squares_, 0.0);
  weights_.clear();
}

void begin_sample(std::span<const Weighed> all, const PutSample& put, bool is_first) {
  if (put.is_whole) return;
  for (const auto& [accumulator, weight] : all) accumulator->begin_part(weight, is_first);
}

void add_values(std::span<const Weighed> all, const PutSample& put) {
  put.for_each_run([&](std::int64_t cell, std::span<const double> values, std::span<const std::uint8_t> holds) {
    for (const auto& [accumulator, weight] : all) accumulator->add({weight, put.is_single}, cell, values, holds);
  });
  if (!put.is_whole) return;
  for (const auto& [accumulator, weight] : all) accumulator->end_sample(weight);
}

}  // namespace thalweg::fields
