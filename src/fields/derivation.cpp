#include "fields/derivation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"

namespace thalweg::fields {
namespace {

using config::Term;

// By these a variable says where its cells are, which are those of all operands.
constexpr std::array attributes_of_place = {"coordinates", "grid_mapping", "cell_measures"};

std::string dimensions_of(const Field& field) {
  return field.dims.empty() ? "no dimensions" : fmt::format("({})", field.dims);
}

void collect_operations(const Term& in, std::vector<const Term*>& to) {
  if (in.kind == Term::Kind::operation) return to.push_back(&in);
  for (const Term& part : in.of) collect_operations(part, to);
}

}  // namespace

void Derivation::refuse_at(const Term& term, const std::string& fault) const {
  refuse_(config::fault_of(expression_.text, term.begin, fault));
  fail(THALWEG_ERROR_CONFIG, "{}", fault);
}

void Derivation::add_operands(const Term& term, Operands& to) const {
  if (term.kind == Term::Kind::field) {
    const int field = field_of_(term);
    if (std::ranges::find(to.fields, field) != to.fields.end()) return;
    to.fields.push_back(field);
    to.named_by.push_back(&term);
  }
  for (const Term& part : term.of) add_operands(part, to);
}

Derivation::Operands Derivation::operands_in(const Term& term) const {
  Operands found;
  add_operands(term, found);
  return found;
}

// They have their cells at the same places of the same ranks.
void Derivation::require_alike(const Operands& operands) const {
  const Field& first = fields_[static_cast<std::size_t>(operands.fields.front())];
  for (std::size_t o = 0; o < operands.fields.size(); ++o) {
    const Field& field = fields_[static_cast<std::size_t>(operands.fields[o])];
    const Term& term = *operands.named_by[o];
    if (field.type == Type::character)
      refuse_at(term, fmt::format("field '{}' is of characters, with which nothing is computed", field.name));
    if (field.is_packed())
      refuse_at(term, fmt::format("what is put of field '{}' are packed values (scale_factor, add_offset), with which "
                                  "nothing is computed; put it unpacked",
                                  field.name));
    if (have_same_cells(field, first)) continue;
    refuse_at(term, fmt::format("field '{}' has {}{}, but '{}' has {}; fields of an expression have the same cells",
                                field.name, dimensions_of(field), why_not_same_cells(field, first), first.name,
                                dimensions_of(first)));
  }
}

// Those in which all operands agree.
std::vector<catalog::Attribute> Derivation::attributes_for(const Operands& of) const {
  std::vector<catalog::Attribute> made;
  const Field& first = fields_[static_cast<std::size_t>(of.fields.front())];
  for (const char* name : attributes_of_place)
    if (const catalog::Attribute* attribute = catalog::find(first.attributes, name))
      if (std::ranges::all_of(of.fields, [&](int number) {
            const Field& field = fields_[static_cast<std::size_t>(number)];
            const catalog::Attribute* its = catalog::find(field.attributes, name);
            return field.is_static || (its != nullptr && its->text == attribute->text);
          }))
        made.push_back(*attribute);
  return made;
}

// The same of the same fields is made once, whoever wants it. It has what they have of attributes by now.
int Derivation::add(const Operands& of, Formula formula) {
  for (std::size_t f = 0; f < fields_.size(); ++f)
    if (const auto& known = fields_[f].formula; known && known->operands == formula.operands &&
                                                known->evaluator == formula.evaluator && known->text == formula.text) {
      fields_[f].revise(attributes_for(of));
      return static_cast<int>(f);
    }
  const Field& first = fields_[static_cast<std::size_t>(of.fields.front())];
  Field made;
  made.name = formula.text;
  made.dims = first.dims;
  made.decomposition = first.decomposition;
  made.memory_dims = first.memory_dims;
  made.is_static = true;
  made.type = Type::float32;
  for (const int number : of.fields) {
    const Field& field = fields_[static_cast<std::size_t>(number)];
    made.is_static = made.is_static && field.is_static;
    if (field.type != Type::float32) made.type = Type::float64;
  }
  made.attributes = attributes_for(of);
  made.formula = std::make_shared<const Formula>(std::move(formula));
  fields_.push_back(std::move(made));
  return static_cast<int>(fields_.size()) - 1;
}

// What a term is in each step.
int Derivation::derived(const Term& term) {
  const Operands operands = operands_in(term);
  const auto operand_of = [&](const Term& named) {
    return static_cast<int>(std::ranges::find(operands.fields, field_of_(named)) - operands.fields.begin());
  };
  return add(operands, {std::string(expression_.text_of(term)), operands.fields, Evaluator(term, operand_of)});
}

Chosen Derivation::chosen(const std::string& variable, config::Operation operation) {
  const Operands operands = operands_in(expression_.term);
  if (std::ranges::find(operands.fields, -1) != operands.fields.end()) return {};
  require_alike(operands);
  Chosen made{.operation = operation, .variable = variable, .expression = expression_.text};
  std::vector<const Term*> operations;
  collect_operations(expression_.term, operations);
  if (operations.empty()) {
    made.field = derived(expression_.term);
    return made;
  }
  made.operation = operations.front()->operation;
  if (operations.front() == &expression_.term) {
    made.field = derived(expression_.term.of.front());
    return made;
  }
  for (const Term* of : operations) {
    const Term& argument = of->of.front();
    const int field = argument.kind == Term::Kind::field ? field_of_(argument) : derived(argument);
    if (fields_[static_cast<std::size_t>(field)].is_static)
      refuse_at(argument,
                fmt::format("'{}' is static, and has no {} in time; put it together with a field that changes",
                            expression_.text_of(argument), expression_.text_of(*of)));
    made.gathered.push_back({field, of->operation});
  }
  const auto operand_of = [&](const Term& named) {
    return static_cast<int>(std::ranges::find(operations, &named) - operations.begin());
  };
  std::vector<int> terms;
  for (const Gathered& of : made.gathered) terms.push_back(of.field);
  made.field = add(operands, {expression_.text, terms, Evaluator(expression_.term, operand_of)});
  return made;
}

}  // namespace thalweg::fields
