#include "config/expression.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "base/names.hpp"
#include "config/expression_tree.hpp"
#include "config/parse_value.hpp"

namespace thalweg::config {
namespace {

// A longer one would be no less a mistake, and its depth is that of calls.
constexpr std::size_t longest_text = 1000;

struct Named {
  std::string_view name;
  Function function;
  std::size_t arguments;
};
constexpr std::array<Named, 19> functions = {{{"sqrt", Function::sqrt, 1},
                                              {"exp", Function::exp, 1},
                                              {"log", Function::log, 1},
                                              {"log10", Function::log10, 1},
                                              {"sin", Function::sin, 1},
                                              {"cos", Function::cos, 1},
                                              {"tan", Function::tan, 1},
                                              {"asin", Function::asin, 1},
                                              {"acos", Function::acos, 1},
                                              {"atan", Function::atan, 1},
                                              {"atan2", Function::atan2, 2},
                                              {"abs", Function::abs, 1},
                                              {"pow", Function::power, 2},
                                              {"min", Function::least, 2},
                                              {"max", Function::greatest, 2},
                                              {"cond", Function::choose, 3},
                                              {"?", Function::choose, 3},
                                              {"-", Function::negate, 1},
                                              {"-", Function::subtract, 2}}};
constexpr std::array<Named, 11> operators = {{{"+", Function::add, 2},
                                              {"*", Function::multiply, 2},
                                              {"/", Function::divide, 2},
                                              {"^", Function::power, 2},
                                              {"**", Function::power, 2},
                                              {"<", Function::less, 2},
                                              {"<=", Function::less_equal, 2},
                                              {">", Function::greater, 2},
                                              {">=", Function::greater_equal, 2},
                                              {"==", Function::equal, 2},
                                              {"!=", Function::not_equal, 2}}};

// One that makes a number of a cell.
bool is_callable(Operation operation) {
  return is_statistic(operation) && operation != Operation::diurnal;
}

std::optional<Operation> operation_in_time(std::string_view name) {
  for (const Operation operation : operations_in_order)
    if (is_callable(operation) && name_of(operation) == name) return operation;
  return std::nullopt;
}

std::vector<std::string> callable_names() {
  std::vector<std::string> names;
  for (const Operation operation : operations_in_order)
    if (is_callable(operation)) names.emplace_back(name_of(operation));
  for (const Named& of : functions)
    if (of.name.size() > 1 && std::ranges::find(names, of.name) == names.end()) names.emplace_back(of.name);
  return names;
}

// "1 argument, or 2"
std::string numbers_in_words(std::string_view name) {
  std::vector<std::size_t> counts;
  if (operation_in_time(name)) counts.push_back(1);
  for (const Named& of : functions)
    if (of.name == name) counts.push_back(of.arguments);
  return counts.size() == 1 ? counted(static_cast<std::int64_t>(counts[0]), "argument")
                            : fmt::format("1 argument (an operation in time) or {}", counts[1]);
}

[[noreturn]] void refuse_call(std::string_view name, std::size_t begin, std::size_t arguments) {
  const std::vector<std::string> known = callable_names();
  if (std::ranges::find(known, name) == known.end())
    throw ExpressionFault{begin, fmt::format("'{}' is no function or operation{}", name, name_hint(name, known))};
  throw ExpressionFault{begin, fmt::format("'{}' has {}, and is given {}", name, numbers_in_words(name), arguments)};
}

const Term* find_term(const Term& in, const std::function<bool(const Term&)>& is) {
  if (is(in)) return &in;
  for (const Term& part : in.of)
    if (const Term* found = find_term(part, is)) return found;
  return nullptr;
}

bool is_operation(const Term& of) {
  return of.kind == Term::Kind::operation;
}

bool is_field(const Term& of) {
  return of.kind == Term::Kind::field;
}

// A field that no operation has.
const Term* field_outside(const Term& in) {
  if (is_operation(in)) return nullptr;
  if (is_field(in)) return &in;
  for (const Term& part : in.of)
    if (const Term* found = field_outside(part)) return found;
  return nullptr;
}

void check_operation(const Expression& of, const Term& operation) {
  const Term& argument = operation.of.front();
  if (const Term* inner = find_term(argument, is_operation))
    throw ExpressionFault{inner->begin, fmt::format("'{}' is within another operation, which there is not; an "
                                                    "operation takes what there is of a step",
                                                    of.text_of(*inner))};
  if (find_term(argument, is_field) == nullptr)
    throw ExpressionFault{argument.begin, fmt::format("'{}' has no field in it", of.text_of(argument))};
}

// What is of a step and what is of an interval do not meet.
void check_levels(const Expression& of, const Term& in) {
  if (is_operation(in)) return check_operation(of, in);
  for (const Term& part : in.of) check_levels(of, part);
}

void check(const Expression& of) {
  if (find_term(of.term, is_field) == nullptr) throw ExpressionFault{0, "there is no field in it"};
  const Term* operation = find_term(of.term, is_operation);
  if (operation == nullptr) return;
  check_levels(of, of.term);
  if (const Term* outside = field_outside(of.term))
    throw ExpressionFault{
        outside->begin,
        fmt::format("'{0}' is of a step, and '{1}' of an interval, so that they have no value together; put '{0}' into "
                    "an operation too, as in mean({0}), or use none and set the operation beside the expression",
                    of.text_of(*outside), of.text_of(*operation))};
}

}  // namespace

Term called(std::string_view name, std::size_t begin, std::size_t end, std::vector<Term> arguments) {
  Term made{.kind = Term::Kind::function, .begin = begin, .end = end};
  const auto is_it = [&](const Named& of) { return of.name == name && of.arguments == arguments.size(); };
  const auto take = [&](const auto& table) {
    const auto found = std::ranges::find_if(table, is_it);
    if (found == table.end()) return false;
    made.function = found->function;
    return true;
  };
  if (!take(functions) && !take(operators)) {
    const std::optional<Operation> found = operation_in_time(name);
    if (!found || arguments.size() != 1) refuse_call(name, begin, arguments.size());
    made.kind = Term::Kind::operation;
    made.operation = *found;
  }
  made.of = std::move(arguments);
  return made;
}

bool Expression::has_this() const {
  return find_term(term, [](const Term& of) { return of.is_this; }) != nullptr;
}

const Term* Expression::first_operation() const {
  return find_term(term, is_operation);
}

bool Expression::has(Operation operation) const {
  return find_term(term, [&](const Term& of) { return is_operation(of) && of.operation == operation; }) != nullptr;
}

std::string fault_of(const std::string& text, std::size_t at, const std::string& fault) {
  return fmt::format("expression, column {}: {}\n      | {}\n      | {:>{}}", at + 1, fault, text, "^", at + 1);
}

Expression parse_expression(const std::string& text) {
  Expression made{.text = text, .term = {}};
  std::ranges::replace_if(made.text, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  if (text.size() > longest_text)
    throw BadValue(fmt::format("an expression of {} characters; it may have {}", text.size(), longest_text));
  try {
    made.term = parse_terms(made.text);
    check(made);
  } catch (const ExpressionFault& fault) {
    throw BadValue(fault_of(made.text, fault.at, fault.text));
  }
  return made;
}

}  // namespace thalweg::config
