// Makes of fields one value of all of each of their columns. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/field_settings.hpp"
#include "fields/choice.hpp"
#include "fields/columns_of_fields.hpp"

namespace thalweg::fields {

// Along the dimension, beside another one.
bool has_columns(const Field& field, const std::string& dimension);

// Refuses that all fields of a collection stay as they are, where no pattern may bring one that has columns.
void require_columns(const config::FieldSettings& settings, const std::vector<Field>& fields,
                     const std::vector<Chosen>& chosen, const RefuseColumns& refuse);

class WholeColumnChoice {
 public:
  // What is made is added to the fields. weights: the number of the field that weighs cells; -1: all weigh the same.
  WholeColumnChoice(std::vector<Field>& fields, const config::VerticalSettings& vertical, int weights,
                    const DividedDimensions& divided, const RefuseColumns& refuse)
      : fields_(fields), vertical_(vertical), weights_(weights), divided_(divided), refuse_(refuse) {}

  // It has the columns, and is not what weighs them.
  bool concerns(int field) const;
  // The number of what is made of the field.
  int made_of(int field);

 private:
  const Field& at(int number) const { return fields_[static_cast<std::size_t>(number)]; }
  void require_columns(const Field& field) const;
  void require_weights(const Field& field) const;
  Field whole_of(int field) const;
  std::vector<catalog::Attribute> attributes_of(const Field& field) const;
  std::string units_of_sum(const Field& field) const;
  std::string how_weighed() const;
  void say_how(std::vector<catalog::Attribute>& attributes) const;

  std::vector<Field>& fields_;
  const config::VerticalSettings& vertical_;
  int weights_;
  const DividedDimensions& divided_;
  const RefuseColumns& refuse_;
};

}  // namespace thalweg::fields
