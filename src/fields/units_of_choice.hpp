// In which units a variable has its field.
#pragma once

#include <string>
#include <vector>

#include "fields/choice.hpp"
#include "fields/field.hpp"

namespace thalweg::fields {

// What becomes of the field's units, of which the operation makes something. wanted: empty, or the same as the field's:
// nothing. Errors: CONFIG, with what to do, for units that do not convert, and for what is not the same before the
// operation and behind it; FORMAT.
OtherUnits units_of(const Field& field, const std::string& wanted, config::Operation operation);

// Attributes that are numbers in the units of the field, and those units.
void convert(std::vector<catalog::Attribute>& attributes, const OtherUnits& units);

}  // namespace thalweg::fields
