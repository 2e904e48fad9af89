// What is left of a field whose columns become something else. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fields/field.hpp"

namespace thalweg::fields {

// Dimensions of a field that its decomposition divides.
using DividedDimensions = std::function<std::vector<std::string>(const Field&)>;

// Of an attribute; empty: there is none.
std::string text_of_attribute(const std::vector<catalog::Attribute>& attributes, const char* name);

bool has_dimension(const Field& field, const std::string& dimension);
// It lies along the columns alone, and is the same for all of them.
bool is_along_one_column(const Field& field);

// Throws the error of a collection, of which the text is what is wrong.
using RefuseColumns = std::function<void(const std::string&)>;
// Numbers are made of its values.
void require_numbers(const Field& field, const RefuseColumns& refuse);
// Each rank has whole columns of it.
void require_whole_columns(const Field& field, const std::string& dimension, const DividedDimensions& divided,
                           const RefuseColumns& refuse);

// Of the static field that is the coordinate of the dimension; empty: there is none, or it has none.
std::string standard_name_along(const std::string& dimension, const std::vector<Field>& fields);

// Cell methods without what is along the dimension.
std::string without_method_along(const std::string& text, const std::string& dimension);

// Leaves out what is of the cells along the columns of the model.
void leave_columns(std::vector<catalog::Attribute>& attributes, const std::string& dimension,
                   const std::vector<Field>& fields);

}  // namespace thalweg::fields
