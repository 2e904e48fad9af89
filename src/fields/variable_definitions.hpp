// Defines what a collection has of fields: dimensions, variables and their attributes.
#pragma once

#include <string>

#include "fields/choice.hpp"
#include "fields/day_parts.hpp"
#include "fields/defined_fields.hpp"
#include "fields/other_grid.hpp"
#include "session/session.hpp"

namespace thalweg::fields {

class VariableDefinitions {
 public:
  // Both outlive this.
  VariableDefinitions(session::Session& session, session::Collection& collection)
      : session_(session), collection_(collection) {}

  // Where a variable lies: in which region, in which parts of the day, and on which other grid. null: none.
  struct On {
    const ChosenRegion& region;
    const DayParts* parts;
    const Remapping* grid;
  };
  // Errors: CONFIG, and those of definitions.
  void define(const Chosen& chosen, const On& on, const DefinedFields& fields);
  // variable: "" for the file.
  void give(const std::string& variable, const catalog::Attribute& attribute);

 private:
  void define_attributes(const Chosen& chosen, const On& on, const DefinedFields& fields);
  void define_fill(const Chosen& chosen, const Field& field, bool is_on_grid);
  catalog::Attribute as_values_of(const Chosen& chosen, const catalog::Attribute& attribute) const;

  session::Session& session_;
  session::Collection& collection_;
};

// Measures of cells that the file's variables name and other files have. (source: CF conventions, section 2.6.3)
std::string external_measures(const session::Collection& collection, const Choice& choice, const DefinedFields& fields,
                              OtherGrid* grid);

}  // namespace thalweg::fields
