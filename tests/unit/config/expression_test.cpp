#include "config/expression.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "config/loading.hpp"
#include "config/parse_value.hpp"

namespace thalweg::config {
namespace {

using testing::HasSubstr;

// Each function with its arguments behind it, as (+ a (* b c)).
std::string shape_of(const Expression& of, const Term& term) {
  if (term.kind == Term::Kind::number) return fmt::format("{}", term.number);
  if (term.kind == Term::Kind::field) return term.name;
  constexpr std::array names = {
      "+", "-", "*", "/", "^", "neg", "<", "<=", ">", ">=", "==", "!=", "?", "least", "greatest"};
  const auto function = static_cast<std::size_t>(term.function);
  std::string text = term.kind == Term::Kind::operation ? "in-time" : function < names.size() ? names[function] : "f";
  for (const Term& part : term.of) text += " " + shape_of(of, part);
  return "(" + text + ")";
}

std::string shape(const std::string& text) {
  const Expression parsed = parse_expression(text);
  return shape_of(parsed, parsed.term);
}

std::string fault(const std::string& text) {
  try {
    parse_expression(text);
  } catch (const BadValue& bad) {
    return bad.what();
  }
  return "none";
}

TEST(Expressions, bind_as_in_mathematics) {
  EXPECT_EQ(shape("a + b * c"), "(+ a (* b c))");
  EXPECT_EQ(shape("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(shape("a / b * c"), "(* (/ a b) c)");
  EXPECT_EQ(shape("(a + b) * c"), "(* (+ a b) c)");
  EXPECT_EQ(shape("a ^ b ^ c"), "(^ a (^ b c))");
  EXPECT_EQ(shape("a ** 2 * b"), "(* (^ a 2) b)");
  EXPECT_EQ(shape("-a ^ 2"), "(neg (^ a 2))");
  EXPECT_EQ(shape("a ^ -1"), "(^ a (neg 1))");
  EXPECT_EQ(shape("a - -b + +c"), "(+ (- a (neg b)) c)");
  EXPECT_EQ(shape("a+1 < b*2"), "(< (+ a 1) (* b 2))");
  EXPECT_EQ(shape("a >= 0 ? b : a != 1 ? c : d"), "(? (>= a 0) b (? (!= a 1) c d))");
  EXPECT_EQ(shape("  cond( a == 0 ,b,c )  "), "(? (== a 0) b c)");
}

TEST(Expressions, have_numbers_and_names_in_every_form) {
  EXPECT_EQ(shape("a * 1.5e-3 + .5 + 2. + 1E2"), "(+ (+ (+ (* a 0.0015) 0.5) 2) 100)");
  EXPECT_EQ(shape("'ocean/temp' - \"ice/temp 2\""), "(- ocean/temp ice/temp 2)");
  EXPECT_EQ(shape("ocean/temp"), "(/ ocean temp)");
  EXPECT_EQ(shape("sqrt * 2"), "(* sqrt 2)");  // no call
  EXPECT_TRUE(parse_expression("this^2").has_this());
  EXPECT_FALSE(parse_expression("'this'^2").has_this());
}

TEST(Expressions, have_operations_of_one_and_functions_of_two) {
  EXPECT_EQ(shape("min(a, b) - max(a, 2)"), "(- (least a b) (greatest a 2))");
  EXPECT_EQ(shape("max(a) - min(a)"), "(- (in-time a) (in-time a))");
  EXPECT_EQ(parse_expression("max(a) - min(a)").first_operation()->operation, Operation::max);
  EXPECT_EQ(parse_expression("min(a, b)").first_operation(), nullptr);
}

TEST(Expressions, know_the_text_of_each_part) {
  const Expression parsed = parse_expression("sqrt( mean( u^2 ) + 1 )");
  EXPECT_EQ(parsed.text_of(parsed.term), "sqrt( mean( u^2 ) + 1 )");
  EXPECT_EQ(parsed.text_of(*parsed.first_operation()), "mean( u^2 )");
  EXPECT_EQ(parsed.text_of(parsed.first_operation()->of.front()), "u^2");
  EXPECT_EQ(parse_expression("u\n  + v").text, "u   + v");
}

struct Wrong {
  std::string text, fault;
};

class WrongExpressions : public testing::TestWithParam<Wrong> {};

TEST_P(WrongExpressions, are_refused_with_their_place) {
  EXPECT_THAT(fault(GetParam().text), HasSubstr("expression, column " + GetParam().fault));
}

INSTANTIATE_TEST_SUITE_P(
    Expressions, WrongExpressions,
    testing::Values(Wrong{"", "1: a number, a field, a function or '(' is wanted here"},
                    Wrong{"a +", "4: a number, a field"}, Wrong{"a b", "3: an operator is wanted here, or the end"},
                    Wrong{"sqrt(a b)", "8: an operator or ')' is wanted here"},
                    Wrong{"(a + b", "7: an operator or ')'"}, Wrong{"sqrt()", "6: a number"},
                    Wrong{"min(a,)", "7: a number"}, Wrong{"a * * b", "5: a number"},
                    Wrong{"a > 0 ? b", "10: ':' is wanted here"}, Wrong{"'a", "3: the quote behind the name"},
                    Wrong{"''", "2: the name of a field"}, Wrong{"a & b", "3: an operator"},
                    Wrong{"a < b < c", "7: an"}, Wrong{"1 + 2", "1: there is no field in it"},
                    Wrong{"a + 1e999", "5: '1e999' is beyond float64"},
                    Wrong{"sqr(a)", "1: 'sqr' is no function or operation; did you mean 'sqrt'"},
                    Wrong{"a + sqrt(a, b)", "5: 'sqrt' has 1 argument, and is given 2"},
                    Wrong{"min(a, b, c)", "1: 'min' has 1 argument (an operation in time) or 2, and is given 3"},
                    Wrong{"mean(a, 2)", "1: 'mean' has 1 argument, and is given 2"},
                    Wrong{"mean(max(a))", "6: 'max(a)' is within another operation"},
                    Wrong{"mean(max(a, 1 d))", "13: '1 d' is no value: numbers have no units, and operations no"},
                    Wrong{"mean(2) * mean(a)", "6: '2' has no field in it"},
                    Wrong{"a - mean(a)", "1: 'a' is of a step, and 'mean(a)' of an interval"},
                    Wrong{"mean(a)^2 + 'x/b'", "13: ''x/b'' is of a step, and 'mean(a)' of an interval"}));

TEST(Expressions, show_the_fault_by_a_caret) {
  EXPECT_EQ(fault("u + sqroot(v)"),
            "expression, column 5: 'sqroot' is no function or operation; did you mean 'sqrt'?\n"
            "      | u + sqroot(v)\n"
            "      |     ^");
}

TEST(Expressions, may_be_as_deep_as_they_are_long) {
  EXPECT_EQ(fault(std::string(499, '(') + "a" + std::string(499, ')')), "none");
  EXPECT_EQ(fault(std::string(999, '-') + "a"), "none");
  EXPECT_THAT(fault(std::string(500, '(') + "a" + std::string(500, ')')), HasSubstr("it may have 1000"));
  EXPECT_THAT(fault(std::string(1000, '(')), HasSubstr("expression, column 1001: a number"));
}

class ExpressionEntries : public CleanEnvironment {
 protected:
  static std::string of(const std::string& entry) {
    return "collections:\n  c:\n    file: c.nc\n    every: 6 h\n    operation: mean\n    fields:\n      - temp\n      "
           "- " +
           entry + "\n";
  }
};

TEST_F(ExpressionEntries, are_settings) {
  const Settings settings = load(of("{name: speed, expression: \"sqrt(u^2 + v^2)\", type: float32}"));
  const ChosenField& chosen = settings.collections.at("c").fields.chosen[1];
  EXPECT_EQ(chosen.name, "speed");
  EXPECT_EQ(chosen.expression->text, "sqrt(u^2 + v^2)");
  EXPECT_EQ(chosen.own_operation(), std::nullopt);
  EXPECT_EQ(load(of("{from: t, expression: mean(this^2)}")).collections.at("c").fields.chosen[1].own_operation(),
            Operation::mean);
}

TEST_F(ExpressionEntries, are_written_as_they_are_read) {
  const std::string entry = "{from: t, expression: 'this - ''ice/t''', operation: max, name: d}";
  const Settings settings = load(of(entry));
  const auto found = std::ranges::find(settings.effective, "collections.c.fields", &Effective::key);
  ASSERT_NE(found, settings.effective.end());
  EXPECT_EQ(found->value, "[temp, " + entry + "]");
}

TEST_F(ExpressionEntries, say_the_place_of_a_fault) {
  EXPECT_EQ(
      faults(of("{name: speed, expression: \"sqrt(u^2 + )\"}")),
      "ocean.yaml:8:35: error: fields: expression, column 12: a number, a field, a function or '(' is wanted here\n"
      "      | sqrt(u^2 + )\n"
      "      |            ^");
}

TEST_F(ExpressionEntries, are_refused_where_they_say_too_much_or_too_little) {
  EXPECT_THAT(fault(of("{expression: u + v}")), HasSubstr("without 'name'"));
  EXPECT_THAT(fault(of("{name: a, expression: this^2}")),
              HasSubstr("'this' is the field of 'from', which is not there"));
  EXPECT_THAT(fault(of("{name: a, from: t, expression: u^2}")), HasSubstr("'from: t' is what 'this' stands for"));
  EXPECT_THAT(fault(of("{name: a, expression: mean(u), operation: max}")), HasSubstr("'max' beside it is one more"));
  EXPECT_THAT(fault(of("{name: a, expression: [u, v]}")), HasSubstr("expression: one value is wanted here"));
  EXPECT_THAT(fault(of("{name: a, expresion: u}")), HasSubstr("did you mean 'expression'"));
  EXPECT_THAT(fault(of("{name: a, expression: u, operation: instant}")), HasSubstr("some are instants"));
}

}  // namespace
}  // namespace thalweg::config
