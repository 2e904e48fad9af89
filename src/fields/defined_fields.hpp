// What the program has defined: its fields, those that are made of them, and dimensions that no decomposition has.
#pragma once

#include <string>
#include <vector>

#include "fields/dimensions_of_fields.hpp"
#include "fields/field.hpp"

namespace thalweg::fields {

class DefinedFields {
 public:
  // Errors: ARGUMENT, NAME.
  void define_dimension(const std::string& name, std::int64_t size);
  // The number of the field. Errors: NAME.
  int define(Field field);
  void define_attribute(int field, catalog::Attribute attribute);

  // How many definitions were made, by which who has looked at them knows that there are others.
  std::int64_t changes() const { return changes_; }
  const Dimensions& dimensions() const { return dimensions_; }
  const Field& at(int field) const { return fields_[static_cast<std::size_t>(field)]; }
  const std::vector<Field>& all() const { return fields_; }
  // To which those are added that are made of others.
  std::vector<Field>& all() { return fields_; }

 private:
  Dimensions dimensions_;
  std::vector<Field> fields_;
  std::int64_t changes_ = 0;
};

}  // namespace thalweg::fields
