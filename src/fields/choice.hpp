// Which fields a collection has, and as what variables. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"
#include "fields/field.hpp"

namespace thalweg::fields {

struct Chosen {
  int field = -1;
  config::Operation operation{};
  std::string variable;
  Type type{};
};

struct Choice {
  std::vector<Chosen> chosen;        // in the order of the configuration, coordinates that they need behind them
  std::vector<std::string> missing;  // that the program does not define, of a collection to which that is optional
};

// Errors: CONFIG, with the place of the collection, for fields that there are not or that several are called, for
// operations that a field cannot have, and for variables of one name.
Choice choose(const config::CollectionSettings& collection, const std::vector<Field>& fields);

}  // namespace thalweg::fields
