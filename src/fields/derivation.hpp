// Makes fields of expressions. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/expression.hpp"
#include "fields/choice.hpp"
#include "fields/field.hpp"

namespace thalweg::fields {

class Derivation {
 public:
  // The number of the field that a term names; -1: the program does not define it, and that may be. Throws its error.
  using FieldOf = std::function<int(const config::Term&)>;
  // Throws the error of a collection, of which the text is what is wrong.
  using Refuse = std::function<void(const std::string&)>;

  // What is made is added to the fields.
  Derivation(std::vector<Field>& fields, const config::Expression& expression, FieldOf field_of, Refuse refuse)
      : fields_(fields), expression_(expression), field_of_(std::move(field_of)), refuse_(std::move(refuse)) {}

  // What a variable of this name is of the fields, without its type; field -1: one of them is not defined. operation:
  // of what is made in each step, unless the expression has its own.
  Chosen chosen(const std::string& variable, config::Operation operation);

 private:
  struct Operands {
    std::vector<int> fields;
    std::vector<const config::Term*> named_by;
  };
  Operands operands_in(const config::Term& term) const;
  void add_operands(const config::Term& term, Operands& to) const;
  void require_alike(const Operands& operands) const;
  int derived(const config::Term& term);
  std::vector<catalog::Attribute> attributes_for(const Operands& of) const;
  int add(const Operands& of, Formula formula);
  [[noreturn]] void refuse_at(const config::Term& term, const std::string& fault) const;

  std::vector<Field>& fields_;
  const config::Expression& expression_;
  FieldOf field_of_;
  Refuse refuse_;
};

}  // namespace thalweg::fields
