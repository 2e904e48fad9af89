// An expression as what is done with arrays of float64, a strip of values at a time. NaN stands for a missing value.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "config/expression.hpp"
#include "fields/strip.hpp"

namespace thalweg::fields {

class Evaluator {
 public:
  // operand_of: which array a field of the expression is, or an operation in it.
  using OperandOf = std::function<int(const config::Term&)>;
  Evaluator() = default;  // the first operand as it is
  Evaluator(const config::Term& expression, const OperandOf& operand_of);

  // What is between the steps of an evaluation; one for each thread.
  using Scratch = std::vector<StripRoom<double>>;

  // operands: of at most a strip of values. A result is NaN where one of the operands that it needs is, and where it is
  // no finite number; how many of these latter ones have all operands is returned.
  std::int64_t evaluate(std::span<const double* const> operands, std::size_t count, double* results,
                        Scratch& scratch) const;

  friend bool operator==(const Evaluator&, const Evaluator&) = default;

 private:
  struct Source {
    enum class Kind { operand, constant, scratch } kind;
    int number;
    friend bool operator==(const Source&, const Source&) = default;
  };
  struct Step {
    config::Function function;
    std::vector<Source> of;
    int to;  // a strip of the scratch
    friend bool operator==(const Step&, const Step&) = default;
  };

  Source compile(const config::Term& term, const OperandOf& operand_of);
  Source compile_function(const config::Term& term, const OperandOf& operand_of);
  void prepare(Scratch& scratch) const;

  std::vector<double> constants_;
  std::vector<Step> steps_;
  Source result_{};
  std::vector<bool> is_used_;  // strips of the scratch, while the expression is compiled
};

}  // namespace thalweg::fields
