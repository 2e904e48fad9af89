// An expression as what is done with arrays of float64, a strip of values at a time. NaN stands for a missing value.
// Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "config/expression.hpp"
#include "fields/strip.hpp"

namespace thalweg::fields {

// Numbers of an operand, where they lie. They are computed with as float64.
class OperandStrip {
 public:
  OperandStrip() = default;
  OperandStrip(const double* numbers) : numbers_(numbers) {}
  OperandStrip(const float* numbers) : numbers_(numbers), is_single_(true) {}

  const void* numbers() const { return numbers_; }
  bool is_single() const { return is_single_; }
  // Calls use with them.
  template <typename Use>
  void with_numbers(const Use& use) const {
    if (is_single_) return use(static_cast<const float*>(numbers_));
    use(static_cast<const double*>(numbers_));
  }

 private:
  const void* numbers_ = nullptr;
  bool is_single_ = false;
};

// What a step of an expression reads, and where it stores as many numbers.
struct StepStrips {
  std::array<const void*, 3> of;
  double* to;
  std::size_t count;
};
using MakeStep = void (*)(const StepStrips&);
// By which operands are float32, as bits of the place here.
using StepMakers = std::array<MakeStep, 8>;

class Evaluator {
 public:
  // operand_of: which array a field of the expression is, or an operation in it.
  using OperandOf = std::function<int(const config::Term&)>;
  Evaluator() = default;  // the first operand as it is
  Evaluator(const config::Term& expression, const OperandOf& operand_of);

  // What is between the steps of an evaluation; one for each thread.
  using Scratch = std::vector<ShortStripRoom>;

  // operands: of at most a short strip of values. A result is NaN where one of the operands that it needs is, and where
  // it is no finite number; how many of these latter ones have all operands is returned.
  std::int64_t evaluate(std::span<const OperandStrip> operands, std::size_t count, double* results,
                        Scratch& scratch) const;

  friend bool operator==(const Evaluator&, const Evaluator&) = default;

 private:
  struct Source {
    enum class Kind { operand, constant, scratch } kind;
    int number;
    friend bool operator==(const Source&, const Source&) = default;
  };
  struct Step {
    StepMakers makers;
    std::vector<Source> of;
    int to;  // a strip of the scratch
    friend bool operator==(const Step&, const Step&) = default;
  };

  Source compile(const config::Term& term, const OperandOf& operand_of);
  Source compile_function(const config::Term& term, const OperandOf& operand_of);
  Step step_for(const config::Term& term, const OperandOf& operand_of);
  void prepare(Scratch& scratch) const;
  void compute(std::span<const OperandStrip> operands, std::size_t count, double* results, Scratch& scratch) const;

  std::vector<double> constants_;
  std::vector<Step> steps_;
  Source result_{};
  std::vector<bool> is_used_;  // strips of the scratch, while the expression is compiled
};

}  // namespace thalweg::fields
