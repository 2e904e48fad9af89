// Values of attributes and fill values out of the JSON of a store: the inverse of values.hpp, which says how they got
// there. JSON knows integers, numbers and texts only, so that types of attributes are those that CF says, or the
// widest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/definition.hpp"
#include "formats/zarr/values.hpp"

namespace thalweg::formats::zarr {

// Nothing: a type that Thalweg has not.
std::optional<Type> type_of(const Json& data_type);

// Errors: FORMAT for what is no fill value of the type.
Element fill_value_of(const Json& value, Type type);

// Of a group. What JSON has and a model's file has not (lists of texts, objects, truth values) is a text as JSON has
// it.
std::vector<catalog::Attribute> attributes_of(const Json& attributes);

// Of an array. That of characters says its _FillValue by its fill value alone.
std::vector<catalog::Attribute> attributes_of_array(const Json& attributes, Type type, const Json& fill_value);

}  // namespace thalweg::formats::zarr
