// Makes of fields what they are at the levels of a coordinate. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"
#include "fields/columns_of_fields.hpp"
#include "fields/field.hpp"

namespace thalweg::fields {

class LevelChoice {
 public:
  // What is made is added to the fields. coordinate: its number.
  LevelChoice(std::vector<Field>& fields, const config::VerticalSettings& vertical, int coordinate,
              DividedDimensions divided, RefuseColumns refuse)
      : fields_(fields),
        vertical_(vertical),
        coordinate_(coordinate),
        divided_(std::move(divided)),
        refuse_(std::move(refuse)) {}

  // It has the columns, and is not the coordinate itself.
  bool concerns(int field) const;
  // The number of what the field is at the levels.
  int made_of(int field);

 private:
  template <typename... Values>
  [[noreturn]] void refuse(fmt::format_string<Values...> text, Values&&... values) const;
  const Field& at(int number) const { return fields_[static_cast<std::size_t>(number)]; }
  std::string column_dimension() const;
  void require_columns(const Field& field, const std::string& dimension) const;
  std::shared_ptr<const Levels> levels(const std::string& dimension);
  void add_variable(const std::shared_ptr<const Levels>& levels);
  Field at_levels(int field, const std::shared_ptr<const Levels>& levels) const;

  std::vector<Field>& fields_;
  const config::VerticalSettings& vertical_;
  int coordinate_;
  DividedDimensions divided_;
  RefuseColumns refuse_;
};

}  // namespace thalweg::fields
