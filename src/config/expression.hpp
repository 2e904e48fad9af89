// Expressions of fields, as the configuration has them. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "config/operations.hpp"

namespace thalweg::config {

// What makes a value of one to three others, operators included.
enum class Function {
  add,
  subtract,
  multiply,
  divide,
  power,
  negate,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  choose,  // the second where the first is not zero, else the third
  least,
  greatest,
  sqrt,
  exp,
  log,
  log10,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  abs
};

struct Term {
  enum class Kind { number, field, function, operation };
  Kind kind = Kind::number;
  std::size_t begin = 0, end = 0;  // in the text, in bytes
  double number = 0.0;
  std::string name{};  // of a field
  bool is_this = false;
  Function function{};
  Operation operation{};
  std::vector<Term> of{};
};

struct Expression {
  std::string text;
  Term term;

  bool has_this() const;
  // Over an interval; null: it is of each step.
  const Term* first_operation() const;
  bool has(Operation operation) const;
  // As messages and attributes have it.
  std::string_view text_of(const Term& part) const {
    return std::string_view(text).substr(part.begin, part.end - part.begin);
  }
  friend bool operator==(const Expression& a, const Expression& b) { return a.text == b.text; }
};

// Throws BadValue, with the text and a caret below the fault.
Expression parse_expression(const std::string& text);

// The fault of an expression at a place in it: what it is, the text, a caret.
std::string fault_of(const std::string& text, std::size_t at, const std::string& fault);

}  // namespace thalweg::config
