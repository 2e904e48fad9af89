// Which fields a collection has, and as what variables. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "fields/field.hpp"
#include "fields/level_choice.hpp"
#include "fields/linear.hpp"
#include "fields/region.hpp"

namespace thalweg::fields {

// Other units than those of the field.
struct OtherUnits {
  std::string text;      // empty: none
  Linear change;         // of what the operation makes of the field
  bool is_of_packing{};  // values are packed, and stay: the attributes by which they are change in their place

  friend bool operator==(const OtherUnits&, const OtherUnits&) = default;

  Linear of_values() const { return is_of_packing ? Linear{} : change; }
};

struct Gathered {
  int field = -1;
  config::Operation operation{};

  friend bool operator==(const Gathered&, const Gathered&) = default;
};

// Of what comes with others, as coordinates do.
constexpr std::size_t no_entry = static_cast<std::size_t>(-1);

struct Chosen {
  int field = -1;
  config::Operation operation{};
  std::string variable;
  Type type{};
  std::string expression{};             // by which the field is made; empty: the program puts it
  Interval sample = config::each_step;  // of which steps
  Interval sample_offset{};
  std::vector<Gathered> gathered{};  // of which the field's formula makes what a record has; empty: of the field alone
  int day_parts = 0;                 // diurnal
  std::size_t region = 0;            // of those of the choice
  std::size_t entry = no_entry;      // of the collection's list
  OtherUnits units{};

  friend bool operator==(const Chosen&, const Chosen&) = default;
};

// What is gathered for it, of which fields; of most one.
inline std::vector<Gathered> gathered_of(const Chosen& chosen) {
  if (chosen.operation == config::Operation::diurnal)
    return {static_cast<std::size_t>(chosen.day_parts), {chosen.field, config::Operation::mean}};
  return chosen.gathered.empty() ? std::vector{Gathered{chosen.field, chosen.operation}} : chosen.gathered;
}

// The configuration has not switched it off.
inline bool is_enabled(const config::CollectionSettings& collection, const Chosen& chosen) {
  const auto own = collection.variables.find(chosen.variable);
  return own == collection.variables.end() || own->second.enabled;
}

// What a collection has of some of its fields.
struct ChosenRegion {
  std::vector<config::PartOfDimension> parts{};  // as it is said
  bool is_of_some = false;                       // by some of the fields; else by the collection
  Region region{};
  std::map<std::string, std::string> names{};  // of static fields whose variables for it are called otherwise

  friend bool operator==(const ChosenRegion&, const ChosenRegion&) = default;
};

// Of names of variables and dimensions of which a file has others for another region.
inline std::string ending_of_region(std::size_t number) {
  return number == 0 ? "" : "_" + std::to_string(number + 1);
}

// A name of the configuration that no field has.
struct UnknownField {
  std::string name;
  bool is_pattern = false;
  std::string expression{};  // in which it stands; empty: it is an item
  std::size_t begin = 0;     // of it there
};

struct Choice {
  std::vector<Chosen> chosen;         // in the order of the configuration
  std::vector<std::string> missing;   // that the program does not define, of a collection to which that is optional
  std::vector<std::string> left_out;  // that would be made of these
  std::vector<UnknownField> unknown;  // the same where it is an error
  bool lacks_known = false;           // one of these is of a component that has defined fields
  std::vector<int> operands;          // of what is not made yet, for want of another one
  std::vector<int> gathered;          // the same of operations within expressions of which all is there
  std::vector<std::size_t> unmade;    // entries of the configuration that have these
  std::vector<ChosenRegion> regions = std::vector<ChosenRegion>(1);  // the first one is that of most of the fields
};

// Of the fields that there are. Errors: CONFIG, with the place of the collection, for fields that several are called,
// for operations that a field cannot have, for variables of one name, and for expressions of fields that do not go
// together, and for levels that cannot be found. fields: those that are made of others are added.
Choice choose(
    const config::CollectionSettings& collection, std::vector<Field>& fields,
    const DividedDimensions& divided = [](const Field&) { return std::vector<std::string>(); });

// The item is a pattern, of any number of fields.
bool is_pattern(const config::ChosenField& wanted);
// By its name the field is one of a pattern's.
bool is_like(const config::ChosenField& wanted, const Field& field);

}  // namespace thalweg::fields
