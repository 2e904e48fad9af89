#include "fields/evaluator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/vectorized.hpp"

namespace thalweg::fields {
namespace {

using config::Function;
using config::Term;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Strips {
  std::array<const double*, 3> of;
  double* to;
  std::size_t count;
};

// What is stored is no operand of the same step, so that cells are taken several at once.
template <typename Make>
THALWEG_VECTORIZED void make_of_one(const Strips& strips, const Make& make) {
  const double* __restrict const a = strips.of[0];
  double* __restrict const to = strips.to;
  for (std::size_t i = 0; i < strips.count; ++i) to[i] = make(a[i]);
}

template <typename Make>
THALWEG_VECTORIZED void make_of_two(const Strips& strips, const Make& make) {
  const double* __restrict const a = strips.of[0];
  const double* __restrict const b = strips.of[1];
  double* __restrict const to = strips.to;
  for (std::size_t i = 0; i < strips.count; ++i) to[i] = make(a[i], b[i]);
}

template <typename Holds>
void compare(const Strips& strips, const Holds& holds) {
  make_of_two(strips, [&](double a, double b) {
    const double truth = holds(a, b) ? 1.0 : 0.0;
    return (a != a || b != b) ? none : truth;
  });
}

// Of what is chosen alone a value is needed.
THALWEG_VECTORIZED void choose(const Strips& strips) {
  const double* __restrict const condition = strips.of[0];
  for (std::size_t i = 0; i < strips.count; ++i) {
    const double chosen = condition[i] != 0.0 ? strips.of[1][i] : strips.of[2][i];
    strips.to[i] = condition[i] != condition[i] ? none : chosen;
  }
}

double least_of(double a, double b) {
  return (a < b || a != a) ? a : b;
}

double greatest_of(double a, double b) {
  return (a > b || a != a) ? a : b;
}

// NaN to the power of 0, and 1 to that of NaN, would be 1.
double power_of(double a, double b) {
  return (a != a || b != b) ? none : std::pow(a, b);
}

// Functions of one value that a library has.
void apply_library(Function function, const Strips& strips) {
  switch (function) {
    case Function::exp: return make_of_one(strips, [](double x) { return std::exp(x); });
    case Function::log: return make_of_one(strips, [](double x) { return std::log(x); });
    case Function::log10: return make_of_one(strips, [](double x) { return std::log10(x); });
    case Function::sin: return make_of_one(strips, [](double x) { return std::sin(x); });
    case Function::cos: return make_of_one(strips, [](double x) { return std::cos(x); });
    case Function::tan: return make_of_one(strips, [](double x) { return std::tan(x); });
    case Function::asin: return make_of_one(strips, [](double x) { return std::asin(x); });
    case Function::acos: return make_of_one(strips, [](double x) { return std::acos(x); });
    case Function::atan: return make_of_one(strips, [](double x) { return std::atan(x); });
    default: return;
  }
}

void apply_comparison(Function function, const Strips& strips) {
  switch (function) {
    case Function::less: return compare(strips, [](double a, double b) { return a < b; });
    case Function::less_equal: return compare(strips, [](double a, double b) { return a <= b; });
    case Function::greater: return compare(strips, [](double a, double b) { return a > b; });
    case Function::greater_equal: return compare(strips, [](double a, double b) { return a >= b; });
    case Function::equal: return compare(strips, [](double a, double b) { return a == b; });
    case Function::not_equal: return compare(strips, [](double a, double b) { return a != b; });
    default: return apply_library(function, strips);
  }
}

void apply(Function function, const Strips& strips) {
  switch (function) {
    case Function::add: return make_of_two(strips, [](double a, double b) { return a + b; });
    case Function::subtract: return make_of_two(strips, [](double a, double b) { return a - b; });
    case Function::multiply: return make_of_two(strips, [](double a, double b) { return a * b; });
    case Function::divide: return make_of_two(strips, [](double a, double b) { return a / b; });
    case Function::power: return make_of_two(strips, power_of);
    case Function::least: return make_of_two(strips, least_of);
    case Function::greatest: return make_of_two(strips, greatest_of);
    case Function::atan2: return make_of_two(strips, [](double a, double b) { return std::atan2(a, b); });
    case Function::choose: return choose(strips);
    case Function::negate: return make_of_one(strips, [](double x) { return -x; });
    case Function::sqrt: return make_of_one(strips, [](double x) { return std::sqrt(x); });
    case Function::abs: return make_of_one(strips, [](double x) { return std::abs(x); });
    default: return apply_comparison(function, strips);
  }
}

// x - x is NaN for what is not finite.
THALWEG_VECTORIZED std::size_t count_not_finite(const double* values, std::size_t count) {
  std::int64_t found = 0;
  for (std::size_t i = 0; i < count; ++i) found += static_cast<std::int64_t>(values[i] - values[i] != 0.0);
  return static_cast<std::size_t>(found);
}

}  // namespace

Evaluator::Evaluator(const Term& expression, const OperandOf& operand_of) {
  result_ = compile(expression, operand_of);
}

Evaluator::Source Evaluator::compile(const Term& term, const OperandOf& operand_of) {
  if (term.kind == Term::Kind::function) return compile_function(term, operand_of);
  if (term.kind != Term::Kind::number) return {Source::Kind::operand, operand_of(term)};
  auto at = std::ranges::find(constants_, term.number);
  if (at == constants_.end()) at = constants_.insert(at, term.number);
  return {Source::Kind::constant, static_cast<int>(at - constants_.begin())};
}

// A square is a product, which pow would be for no other exponent.
Evaluator::Source Evaluator::compile_function(const Term& term, const OperandOf& operand_of) {
  Step step{.function = term.function, .of = {}, .to = 0};
  for (const Term& part : term.of) step.of.push_back(compile(part, operand_of));
  if (term.function == Function::power && term.of[1].kind == Term::Kind::number && term.of[1].number == 2.0)
    step = {.function = Function::multiply, .of = {step.of[0], step.of[0]}, .to = 0};
  const auto free = std::ranges::find(is_used_, false);
  step.to = static_cast<int>(free - is_used_.begin());
  if (free == is_used_.end()) is_used_.push_back(true);
  is_used_[static_cast<std::size_t>(step.to)] = true;
  for (const Source& of : step.of)
    if (of.kind == Source::Kind::scratch) is_used_[static_cast<std::size_t>(of.number)] = false;
  steps_.push_back(step);
  return {Source::Kind::scratch, step.to};
}

// Constants are strips like others.
void Evaluator::prepare(Scratch& scratch) const {
  const std::size_t strips = is_used_.size() + constants_.size();
  if (scratch.size() == strips) return;
  scratch.resize(strips);
  for (std::size_t c = 0; c < constants_.size(); ++c) scratch[is_used_.size() + c].fill(constants_[c]);
}

std::int64_t Evaluator::evaluate(std::span<const double* const> operands, std::size_t count, double* results,
                                 Scratch& scratch) const {
  prepare(scratch);
  const auto strip_of = [&](std::size_t number) { return scratch[number].data(); };
  const auto values_of = [&](const Source& source) -> const double* {
    const auto number = static_cast<std::size_t>(source.number);
    if (source.kind == Source::Kind::operand) return operands[number];
    return strip_of(source.kind == Source::Kind::scratch ? number : is_used_.size() + number);
  };
  for (const Step& step : steps_) {
    Strips strips{.of = {},
                  .to = &step == &steps_.back() ? results : strip_of(static_cast<std::size_t>(step.to)),
                  .count = count};
    for (std::size_t i = 0; i < step.of.size(); ++i) strips.of[i] = values_of(step.of[i]);
    apply(step.function, strips);
  }
  if (steps_.empty()) std::copy_n(values_of(result_), count, results);
  if (count_not_finite(results, count) == 0) return 0;
  std::int64_t faults = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isfinite(results[i])) continue;
    results[i] = none;
    faults += std::ranges::none_of(operands, [i](const double* values) { return std::isnan(values[i]); }) ? 1 : 0;
  }
  return faults;
}

}  // namespace thalweg::fields
