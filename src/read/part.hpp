// The part of a variable that choices say, dimension by dimension. Pure.
#pragma once

#include <string>
#include <vector>

#include "read/contents.hpp"
#include "read/coordinate.hpp"
#include "read/selection_text.hpp"

namespace thalweg::read {

// A choice, and what it is of.
struct PartOf {
  Choice choice;
  int dimension = 0;                          // of the variable
  const InputVariable* coordinate = nullptr;  // null: it is by index
};

// Choices name dimensions, or variables of one dimension that are coordinates of these. Errors: NAME (no such
// dimension, no coordinate), ARGUMENT (one that is chosen twice, or is that of records).
std::vector<PartOf> dimensions_of(const std::vector<Choice>& choices, const InputVariable& variable,
                                  const Contents& contents, const std::string& where);

// Whether the units are those of a longitude (source: CF conventions 1.11, section 4.2).
bool is_longitude(const InputVariable& coordinate);

// Makes the choice for one dimension of a selection. coordinate: null where it is by index. Errors: ARGUMENT (no such
// cells), NAME (no cell with this value).
void take_part(const PartOf& of, const Coordinate* coordinate, Selection& selection, const std::string& where);

// What is selected of a variable, as a variable of its own.
InputVariable part_of(const InputVariable& variable, Selection selection);

}  // namespace thalweg::read
