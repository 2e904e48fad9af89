#include "fields/evaluator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/vectorized.hpp"

namespace thalweg::fields {
namespace {

using config::Function;
using config::Term;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// What is stored is no operand of the same step, so that cells are taken several at once.
template <typename Result, typename... Of>
[[gnu::always_inline]] inline void make_results(double* __restrict to, std::size_t count, const Of* __restrict... of) {
  for (std::size_t i = 0; i < count; ++i) to[i] = Result()(static_cast<double>(of[i])...);
}

template <typename Result, typename... Of>
THALWEG_VECTORIZED void make(const StepStrips& strips) {
  const auto make_of = [&]<std::size_t... n>(std::index_sequence<n...>) {
    make_results<Result>(strips.to, strips.count, static_cast<const Of*>(strips.of[n])...);
  };
  make_of(std::index_sequence_for<Of...>());
}

template <bool is_single>
using Number = std::conditional_t<is_single, float, double>;

template <typename Result, std::size_t singles, std::size_t... n>
constexpr MakeStep maker(std::index_sequence<n...> /*operands*/) {
  return make<Result, Number<(singles >> n & 1U) != 0>...>;
}

template <typename Result, std::size_t operands, std::size_t... singles>
constexpr StepMakers makers(std::index_sequence<singles...> /*choices*/) {
  return {maker<Result, singles>(std::make_index_sequence<operands>())...};
}

// The result is a function without a state, of as many numbers.
template <std::size_t operands, typename Result>
StepMakers makers_of(const Result& /*result*/) {
  return makers<Result, operands>(std::make_index_sequence<1U << operands>());
}

template <typename Result>
StepMakers of_one(const Result& result) {
  return makers_of<1>(result);
}

template <typename Result>
StepMakers of_two(const Result& result) {
  return makers_of<2>(result);
}

template <typename Holds>
StepMakers comparison(const Holds& /*holds*/) {
  return of_two([](double a, double b) {
    const double truth = Holds()(a, b) ? 1.0 : 0.0;
    return (a != a || b != b) ? none : truth;
  });
}

// Of what is chosen alone a value is needed.
double choice_of(double condition, double a, double b) {
  const double chosen = condition != 0.0 ? a : b;
  return condition != condition ? none : chosen;
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
StepMakers library_function(Function function) {
  switch (function) {
    case Function::exp: return of_one([](double x) { return std::exp(x); });
    case Function::log: return of_one([](double x) { return std::log(x); });
    case Function::log10: return of_one([](double x) { return std::log10(x); });
    case Function::sin: return of_one([](double x) { return std::sin(x); });
    case Function::cos: return of_one([](double x) { return std::cos(x); });
    case Function::tan: return of_one([](double x) { return std::tan(x); });
    case Function::asin: return of_one([](double x) { return std::asin(x); });
    case Function::acos: return of_one([](double x) { return std::acos(x); });
    default: return of_one([](double x) { return std::atan(x); });
  }
}

StepMakers comparison_or_library_function(Function function) {
  switch (function) {
    case Function::less: return comparison([](double a, double b) { return a < b; });
    case Function::less_equal: return comparison([](double a, double b) { return a <= b; });
    case Function::greater: return comparison([](double a, double b) { return a > b; });
    case Function::greater_equal: return comparison([](double a, double b) { return a >= b; });
    case Function::equal: return comparison([](double a, double b) { return a == b; });
    case Function::not_equal: return comparison([](double a, double b) { return a != b; });
    default: return library_function(function);
  }
}

StepMakers makers_for(Function function) {
  switch (function) {
    case Function::add: return of_two([](double a, double b) { return a + b; });
    case Function::subtract: return of_two([](double a, double b) { return a - b; });
    case Function::multiply: return of_two([](double a, double b) { return a * b; });
    case Function::divide: return of_two([](double a, double b) { return a / b; });
    case Function::power: return of_two([](double a, double b) { return power_of(a, b); });
    case Function::least: return of_two([](double a, double b) { return least_of(a, b); });
    case Function::greatest: return of_two([](double a, double b) { return greatest_of(a, b); });
    case Function::atan2: return of_two([](double a, double b) { return std::atan2(a, b); });
    case Function::choose: return makers_of<3>([](double c, double a, double b) { return choice_of(c, a, b); });
    case Function::negate: return of_one([](double x) { return -x; });
    case Function::sqrt: return of_one([](double x) { return std::sqrt(x); });
    case Function::abs: return of_one([](double x) { return std::abs(x); });
    default: return comparison_or_library_function(function);
  }
}

// pow would be a product for no other exponent.
bool is_square(const Term& term) {
  return term.kind == Term::Kind::function && term.function == Function::power &&
         term.of[1].kind == Term::Kind::number && term.of[1].number == 2.0;
}

bool is_product(const Term& term) {
  return is_square(term) || (term.kind == Term::Kind::function && term.function == Function::multiply);
}

// A product that is added to something, or subtracted from it.
struct JoinedWithProduct {
  StepMakers makers;  // of the other one and two factors
  const Term* other;
  const Term* product;
};

// One step in place of two, since each step takes time for what it loads and stores. The product is rounded all the
// same.
std::optional<JoinedWithProduct> joined_with_product(const Term& term) {
  const bool is_sum = term.function == Function::add;
  if (!is_sum && term.function != Function::subtract) return std::nullopt;
  const auto sum = [](double other, double a, double b) { return other + a * b; };
  const auto difference = [](double other, double a, double b) { return other - a * b; };
  if (is_product(term.of[1]))
    return JoinedWithProduct{is_sum ? makers_of<3>(sum) : makers_of<3>(difference), &term.of[0], &term.of[1]};
  if (is_sum && is_product(term.of[0])) return JoinedWithProduct{makers_of<3>(sum), &term.of[1], &term.of[0]};
  return std::nullopt;
}

// x - x is NaN for what is not finite.
THALWEG_VECTORIZED std::int64_t count_not_finite(const double* values, std::size_t count) {
  std::int64_t found = 0;
  for (std::size_t i = 0; i < count; ++i) found += static_cast<std::int64_t>(values[i] - values[i] != 0.0);
  return found;
}

template <typename Number>
THALWEG_VECTORIZED void mark_missing(const Number* __restrict numbers, std::size_t count, double* __restrict marks) {
  for (std::size_t i = 0; i < count; ++i) marks[i] = numbers[i] != numbers[i] ? 1.0 : marks[i];
}

// What is no finite number becomes none; returns how many are none that lack no operand.
THALWEG_VECTORIZED std::int64_t leave_finite(double* __restrict results, const double* __restrict lacks,
                                             std::size_t count) {
  std::int64_t faults = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double result = results[i];
    const bool is_finite = result - result == 0.0;
    faults += static_cast<std::int64_t>(static_cast<int>(!is_finite) & static_cast<int>(lacks[i] == 0.0));
    results[i] = is_finite ? result : none;
  }
  return faults;
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

Evaluator::Source Evaluator::compile_function(const Term& term, const OperandOf& operand_of) {
  Step step = step_for(term, operand_of);
  const auto free = std::ranges::find(is_used_, false);
  step.to = static_cast<int>(free - is_used_.begin());
  if (free == is_used_.end()) is_used_.push_back(true);
  is_used_[static_cast<std::size_t>(step.to)] = true;
  for (const Source& of : step.of)
    if (of.kind == Source::Kind::scratch) is_used_[static_cast<std::size_t>(of.number)] = false;
  steps_.push_back(step);
  return {Source::Kind::scratch, step.to};
}

Evaluator::Step Evaluator::step_for(const Term& term, const OperandOf& operand_of) {
  Step step{.makers = makers_for(term.function), .of = {}, .to = 0};
  const auto add = [&](const Term& part) { step.of.push_back(compile(part, operand_of)); };
  const auto add_factors = [&](const Term& product) {
    add(product.of[0]);
    if (is_square(product))
      step.of.push_back(step.of.back());
    else
      add(product.of[1]);
  };
  if (is_product(term)) {
    step.makers = makers_for(Function::multiply);
    add_factors(term);
  } else if (const auto joined = joined_with_product(term)) {
    step.makers = joined->makers;
    add(*joined->other);
    add_factors(*joined->product);
  } else {
    std::ranges::for_each(term.of, add);
  }
  return step;
}

// Constants are strips like others.
void Evaluator::prepare(Scratch& scratch) const {
  const std::size_t strips = is_used_.size() + constants_.size();
  if (scratch.size() == strips) return;
  scratch.resize(strips);
  for (std::size_t c = 0; c < constants_.size(); ++c) scratch[is_used_.size() + c].fill(constants_[c]);
}

void Evaluator::compute(std::span<const OperandStrip> operands, std::size_t count, double* results,
                        Scratch& scratch) const {
  const auto strip_of = [&](std::size_t number) { return scratch[number].data(); };
  const auto values_of = [&](const Source& source) -> OperandStrip {
    const auto number = static_cast<std::size_t>(source.number);
    if (source.kind == Source::Kind::operand) return operands[number];
    return strip_of(source.kind == Source::Kind::scratch ? number : is_used_.size() + number);
  };
  for (const Step& step : steps_) {
    StepStrips strips{.of = {},
                      .to = &step == &steps_.back() ? results : strip_of(static_cast<std::size_t>(step.to)),
                      .count = count};
    std::size_t singles = 0;
    for (std::size_t i = 0; i < step.of.size(); ++i) {
      const OperandStrip of = values_of(step.of[i]);
      strips.of[i] = of.numbers();
      singles |= static_cast<std::size_t>(of.is_single()) << i;
    }
    step.makers[singles](strips);
  }
  if (!steps_.empty()) return;
  values_of(result_).with_numbers([&](const auto* numbers) { std::copy_n(numbers, count, results); });
}

std::int64_t Evaluator::evaluate(std::span<const OperandStrip> operands, std::size_t count, double* results,
                                 Scratch& scratch) const {
  prepare(scratch);
  compute(operands, count, results, scratch);
  std::int64_t faults = count_not_finite(results, count);
  if (faults == 0) return 0;
  ShortStripRoom lacks{};  // where an operand is missing: mostly in the first one, as on land
  for (std::size_t o = 0; o < operands.size() && faults > 0; ++o) {
    operands[o].with_numbers([&](const auto* numbers) { mark_missing(numbers, count, lacks.data()); });
    faults = leave_finite(results, lacks.data(), count);
  }
  return faults;
}

}  // namespace thalweg::fields
