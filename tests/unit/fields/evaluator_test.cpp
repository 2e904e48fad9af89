#include "fields/evaluator.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <list>
#include <map>
#include <string>

namespace thalweg::fields {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

using Values = std::vector<double>;

struct Evaluated {
  Values values;
  std::int64_t faults = 0;
};

// singles: which of the fields are float32, as bits.
Evaluated evaluated(const std::string& text, const std::map<std::string, Values>& fields, unsigned singles = 0) {
  const config::Expression expression = config::parse_expression(text);
  std::vector<OperandStrip> operands;
  std::list<std::vector<float>> of_float32;
  std::map<std::string, int> numbers;
  for (const auto& [name, values] : fields) {
    const std::size_t number = operands.size();
    numbers[name] = static_cast<int>(number);
    of_float32.emplace_back(values.begin(), values.end());
    if ((singles >> number & 1U) != 0)
      operands.push_back(of_float32.back().data());
    else
      operands.push_back(values.data());
  }
  const Evaluator evaluator(expression.term, [&](const config::Term& term) { return numbers.at(term.name); });
  Evaluated made{Values(fields.begin()->second.size()), 0};
  Evaluator::Scratch scratch;
  made.faults = evaluator.evaluate(operands, made.values.size(), made.values.data(), scratch);
  return made;
}

void expect_same(const Values& got, const Values& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    if (std::isnan(wanted[i]))
      EXPECT_TRUE(std::isnan(got[i])) << i << ": " << got[i];
    else
      EXPECT_EQ(got[i], wanted[i]) << i;
}

TEST(Evaluators, make_what_the_operators_say) {
  const std::map<std::string, Values> ab = {{"a", {1.0, 6.0, -3.0}}, {"b", {2.0, 4.0, 0.5}}};
  expect_same(evaluated("a + b * 2", ab).values, {5.0, 14.0, -2.0});
  expect_same(evaluated("(a - b) / b", ab).values, {-0.5, 0.5, -7.0});
  expect_same(evaluated("-a^2", ab).values, {-1.0, -36.0, -9.0});
  expect_same(evaluated("a^b", {{"a", {2.0, 9.0}}, {"b", {3.0, 0.5}}}).values, {8.0, 3.0});
  expect_same(evaluated("b^-1", ab).values, {0.5, 0.25, 2.0});
  expect_same(evaluated("min(a, b) + 10 * max(a, b)", ab).values, {21.0, 64.0, 2.0});
  expect_same(evaluated("a > b ? a : -b", ab).values, {-2.0, 6.0, -0.5});
  expect_same(evaluated("(a<b) + 10*(a<=1) + 100*(a>=6) + 1000*(a==6) + 10000*(a!=6)", ab).values,
              {10011.0, 1100.0, 10011.0});
  expect_same(evaluated("abs(a)", ab).values, {1.0, 6.0, 3.0});
  expect_same(evaluated("a", ab).values, {1.0, 6.0, -3.0});
}

TEST(Evaluators, call_the_functions_of_the_library) {
  const Values x = {0.1, 0.7};
  const auto expect_function = [&](const std::string& name, double (*function)(double)) {
    expect_same(evaluated(name + "(x)", {{"x", x}}).values, {function(x[0]), function(x[1])});
  };
  expect_function("sqrt", std::sqrt);
  expect_function("exp", std::exp);
  expect_function("log", std::log);
  expect_function("log10", std::log10);
  expect_function("sin", std::sin);
  expect_function("cos", std::cos);
  expect_function("tan", std::tan);
  expect_function("asin", std::asin);
  expect_function("acos", std::acos);
  expect_function("atan", std::atan);
  expect_same(evaluated("atan2(x, 2) + pow(x, 3)", {{"x", x}}).values,
              {std::atan2(0.1, 2.0) + std::pow(0.1, 3.0), std::atan2(0.7, 2.0) + std::pow(0.7, 3.0)});
}

// Whatever the operation is: NaN to the power of 0 would be 1, and a comparison with it false.
TEST(Evaluators, have_no_value_where_an_operand_has_none) {
  const std::map<std::string, Values> ab = {{"a", {none, 1.0}}, {"b", {1.0, none}}};
  for (const char* text :
       {"a + b", "a - b", "a * b", "a / b", "a ^ b", "b ^ a", "(a + 0 * b) ^ 0", "a < b", "a <= b", "a > b", "a >= b",
        "a == b", "a != b", "min(a, b)", "max(b, a)", "atan2(a, b)", "a + b ? 1 : 2"}) {
    const Evaluated made = evaluated(text, ab);
    EXPECT_TRUE(std::isnan(made.values[0]) && std::isnan(made.values[1])) << text;
    EXPECT_EQ(made.faults, 0) << text;
  }
  expect_same(evaluated("b > 0 ? b : a", {{"a", {5.0, none}}, {"b", {none, 2.0}}}).values, {none, 2.0});
}

TEST(Evaluators, count_what_has_no_finite_result) {
  const std::map<std::string, Values> a = {{"a", {-1.0, 0.0, 4.0, none}}};
  const Evaluated root = evaluated("sqrt(a)", a);
  expect_same(root.values, {none, 0.0, 2.0, none});
  EXPECT_EQ(root.faults, 1);
  const Evaluated quotient = evaluated("1 / a", a);
  expect_same(quotient.values, {-1.0, none, 0.25, none});
  EXPECT_EQ(quotient.faults, 1);
  EXPECT_EQ(evaluated("log(a)", a).faults, 2);
  const Evaluated guarded = evaluated("a > 0 ? 1 / a : 0", a);
  expect_same(guarded.values, {0.0, 0.0, 0.25, none});
  EXPECT_EQ(guarded.faults, 0);
}

// In one step with the sum, of operands of both types.
TEST(Evaluators, round_a_product_before_it_is_added) {
  constexpr double eps = 0x1p-20;
  const std::map<std::string, Values> abc = {
      {"a", {1.0 + eps, 3.0, none, 2.0}}, {"b", {1.0 + eps, -0.1F, 2.0, none}}, {"c", {-1.0, 0.7F, 1.0, 3.0}}};
  const auto made_of = [&](const auto& result) {
    Values wanted;
    for (std::size_t i = 0; i < 4; ++i) wanted.push_back(result(abc.at("a")[i], abc.at("b")[i], abc.at("c")[i]));
    return wanted;
  };
  const auto product = [](double a, double b) {
    const volatile double rounded = a * b;
    return rounded;
  };
  for (unsigned singles = 0; singles < 8; ++singles) {
    const auto made = [&](const char* text) { return evaluated(text, abc, singles).values; };
    const Values sum = made_of([&](double a, double b, double c) { return c + product(a, b); });
    expect_same(made("c + a * b"), sum);
    expect_same(made("a * b + c"), sum);
    expect_same(made("c - a * b"), made_of([&](double a, double b, double c) { return c - product(a, b); }));
    expect_same(made("a * b - c"), made_of([&](double a, double b, double c) { return product(a, b) - c; }));
    expect_same(made("a^2 + c * b"),
                made_of([&](double a, double b, double c) { return product(a, a) + product(c, b); }));
    expect_same(made("c^2 - (a + b)^2"),
                made_of([&](double a, double b, double c) { return product(c, c) - product(a + b, a + b); }));
  }
}

TEST(Evaluators, keep_what_they_still_need) {
  const std::map<std::string, Values> abc = {{"a", {2.0}}, {"b", {3.0}}, {"c", {5.0}}};
  expect_same(evaluated("(a*b + b*c) * (a*c + a*b) - (a + b) * (b + c) / (a*a)", abc).values,
              {(6.0 + 15.0) * (10.0 + 6.0) - 5.0 * 8.0 / 4.0});
  expect_same(evaluated("((a + 1) * (b + 1)) + ((a + 2) * (b + 2)) + ((a + 1) * (c + 1))", abc).values,
              {12.0 + 20.0 + 18.0});
}

// Each operation has its operands in either type, or one in each.
TEST(Evaluators, take_float32_as_it_is) {
  std::map<std::string, Values> abc;
  for (int i = 0; i < 45; ++i) {
    abc["a"].push_back(static_cast<float>(0.1 * (i - 20)));
    abc["b"].push_back(i == 7 ? none : static_cast<float>(1.0 / (i - 9.5)));
    abc["c"].push_back(static_cast<float>(i % 3 - 1));
  }
  for (const char* text : {"a",
                           "b",
                           "-a",
                           "a + b",
                           "a - b",
                           "a * b",
                           "a / c",
                           "a ^ c",
                           "b^2",
                           "min(a, b)",
                           "max(a, c)",
                           "atan2(a, b)",
                           "sqrt(a)",
                           "exp(b)",
                           "abs(a)",
                           "a < b",
                           "a <= b",
                           "a > b",
                           "a >= c",
                           "b == b",
                           "a != c",
                           "c ? a : b",
                           "sqrt(a^2 + b^2 + c^2)",
                           "(a + 1) * (b - 0.1)"}) {
    const Evaluated wanted = evaluated(text, abc);
    for (unsigned singles = 1; singles < 8; ++singles) {
      SCOPED_TRACE(fmt::format("{}, float32: {:b}", text, singles));
      const Evaluated made = evaluated(text, abc, singles);
      expect_same(made.values, wanted.values);
      EXPECT_EQ(made.faults, wanted.faults);
    }
  }
}

TEST(Evaluators, are_equal_where_they_do_the_same) {
  const auto made = [](const std::string& text) {
    return Evaluator(config::parse_expression(text).term,
                     [](const config::Term& term) { return term.name == "a" ? 0 : 1; });
  };
  EXPECT_EQ(made("a*(b+1)"), made("a * (b + 1.0)"));
  EXPECT_FALSE(made("a*(b+1)") == made("a*(b+2)"));
  EXPECT_FALSE(made("a-b") == made("b-a"));
}

}  // namespace
}  // namespace thalweg::fields
