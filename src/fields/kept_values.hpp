// What is kept of a field in a box until all is there that something is made of: numbers in the order of memory, NaN
// where there is none. Whole arrays of float32 are kept as such, since memory is what takes the time. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fields/evaluator.hpp"
#include "fields/sample.hpp"

namespace thalweg::fields {

// Copies numbers, and NaN in place of those that are missing or that hold no value; holding: empty, all do.
void copy_valid(std::span<const double> values, std::span<const std::uint8_t> holding,
                const std::vector<double>& missing, bool is_single, double* to);
void copy_valid(std::span<const float> values, std::span<const std::uint8_t> holding,
                const std::vector<double>& missing, bool is_single, float* to);

class KeptValues {
 public:
  std::int64_t cells() const { return static_cast<std::int64_t>(singles_.size() + values_.size()); }

  // All cells are put; missing: what stands for none.
  void keep(const PutSample& put, const std::vector<double>& missing, std::int64_t cells);
  // Parts are put, of which the first one leaves no value in the other cells. Then several threads may keep them at
  // once, where they do not meet.
  void begin_part(std::int64_t cells, bool is_first);
  void keep_part(const PutSample& put, const std::vector<double>& missing);
  // Which cells parts have come to; empty: all are put.
  const std::vector<std::uint8_t>& put_cells() const { return is_put_; }

  // From a cell on.
  OperandStrip from(std::int64_t first) const;
  // extent: of the box.
  put::Field array(const Index& extent) const;

 private:
  std::vector<float> singles_;
  std::vector<double> values_;  // one of the two is empty
  std::vector<std::uint8_t> is_put_;
};

}  // namespace thalweg::fields
