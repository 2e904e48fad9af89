// Makes of fields what they are at the levels of a coordinate. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "fields/field.hpp"

namespace thalweg::fields {

// Dimensions of a field that its decomposition divides.
using DividedDimensions = std::function<std::vector<std::string>(const Field&)>;

class LevelChoice {
 public:
  // Throws the error of a collection, of which the text is what is wrong.
  using Refuse = std::function<void(const std::string&)>;

  // What is made is added to the fields. coordinate: its number.
  LevelChoice(std::vector<Field>& fields, const config::VerticalSettings& vertical, int coordinate,
              DividedDimensions divided, Refuse refuse)
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
  bool is_along_one_column(int field) const;
  std::string column_dimension() const;
  void require_numbers(const Field& field) const;
  void require_columns(const Field& field, const std::string& dimension) const;
  std::shared_ptr<const Levels> levels(const std::string& dimension);
  void add_variable(const std::shared_ptr<const Levels>& levels);
  Field at_levels(int field, const std::shared_ptr<const Levels>& levels) const;

  std::vector<Field>& fields_;
  const config::VerticalSettings& vertical_;
  int coordinate_;
  DividedDimensions divided_;
  Refuse refuse_;
};

}  // namespace thalweg::fields
