// What a box of cells has gathered of the samples of an interval, by one operation, in float64; of instants the last
// one, and of a difference that as well as the last one before the interval. Pure.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "config/field_settings.hpp"
#include "fields/linear.hpp"
#include "fields/sample.hpp"
#include "fields/strip.hpp"

namespace thalweg::fields {

// Which samples are none, and what becomes of the results that have them.
struct MissingRule {
  config::MissingSamples samples = config::MissingSamples::skip;
  std::vector<double> values{};  // none: every value is a sample; NaN stands for every NaN

  // NaN is like NaN.
  bool is_like(const MissingRule& other) const {
    return samples == other.samples && std::ranges::equal(values, other.values, [](double one, double another) {
             return one == another || (std::isnan(one) && std::isnan(another));
           });
  }
};

// Of the values that are added.
struct SampleTerms {
  double weight = 1.0;
  bool is_single = false;  // they are compared with missing ones as float32 has both
  bool is_joined = false;  // they are not compared
};

class Accumulator {
 public:
  Accumulator(config::Operation operation, MissingRule missing, std::int64_t cells);

  bool has_samples() const { return samples_ > 0; }
  // What one has gathered, the other one may go on with.
  bool is_like(const Accumulator& other) const {
    return operation_ == other.operation_ && missing_.is_like(other.missing_);
  }

  // A sample of all cells: its values in strips from the first cell on, and its end.
  // holds: which of them are none, where it is not empty.
  void add(const SampleTerms& of, std::int64_t first_cell, std::span<const double> values,
           std::span<const std::uint8_t> holds = {});
  void add(const SampleTerms& of, std::int64_t first_cell, std::span<const float> values,
           std::span<const std::uint8_t> holds = {});
  void end_sample(double weight);
  // Values of a part of the cells come, and others of the same sample may; is_first: of it. Several threads may add
  // them at once, to cells that do not meet, while others are begun.
  void begin_part(double weight, bool is_first);

  // The results of all cells, as elements of a type that the operation can have. fill: of cells without samples, with
  // fewer than the least valid part of the weights, or with a result that the type has not. change: of each result.
  // numbers_for_none: which results do not become.
  std::vector<std::byte> results(Type type, const Element& fill, double least_valid, const Linear& change = {},
                                 const std::vector<double>& numbers_for_none = {}) const;

  // Another interval begins. A difference is counted from the last sample, if there was one.
  void clear();

  // ---- what a checkpoint keeps of it
  // Those that have it of all their cells alike are one in it.
  struct Taken {
    std::int64_t samples = 0;
    double weight = 0.0;
    friend bool operator==(const Taken&, const Taken&) = default;
  };
  Taken taken() const { return {samples_, total_weight_}; }
  struct OfCells {
    std::vector<double> values;
    std::vector<double> squares;  // std
    std::vector<double> begins;   // difference
    std::vector<double> weights;
  };
  OfCells of_cells() const;
  // A negative weight: the cell was in no box, and has no samples.
  void restore(const Taken& taken, OfCells cells);

 private:
  template <typename Number>
  void add_numbers(const SampleTerms& of, std::int64_t first_cell, std::span<const Number> values,
                   std::span<const std::uint8_t> holds);
  void widen();
  void note_holes(double weight, std::int64_t first_cell, std::span<const std::uint8_t> marks, bool has_none);
  void weigh_each_cell(std::int64_t first_cell, double weight);
  void restore_weights(std::vector<double> weights);
  double weight_of_missing() const;             // that cells get
  bool has_both_ends(std::int64_t cell) const;  // of a difference
  double value_of(std::size_t cell) const { return singles_.empty() ? values_[cell] : singles_[cell]; }
  double result(std::int64_t cell) const;
  bool is_valid(std::int64_t cell, double least_valid) const;
  double weight_of(std::size_t cell) const {
    if (!weights_.empty()) return weights_[cell];
    return holes_.empty() || holes_[cell] != 0 ? total_weight_ : weight_of_missing();
  }

  config::Operation operation_;
  MissingRule missing_;
  std::size_t cells_;
  std::int64_t samples_ = 0;
  double total_weight_ = 0.0;
  double weight_before_ = 0.0;       // without the sample whose parts come
  std::vector<double> values_;       // sums, means, or extremes
  std::vector<float> singles_;       // in place of those: extremes, as long as all samples are whole and of float32
  std::vector<double> squares_;      // std: sums of squared distances from the mean
  std::vector<double> begins_;       // difference: from which it is counted
  std::vector<double> weights_;      // of each cell; NaN: a missing sample was propagated. Empty: all have the total,
  std::vector<std::uint8_t> holes_;  // but for those with 0 here, which have had no value, as on land
};

struct Weighed {
  Accumulator* accumulator;
  double weight;  // of the sample
};

// All await what is put of a box, and then its values are added. is_first: of the step. The second may be done by
// several threads at once, of parts that do not meet.
void begin_sample(std::span<const Weighed> all, const PutSample& put, bool is_first);
void add_values(std::span<const Weighed> all, const PutSample& put);

}  // namespace thalweg::fields
