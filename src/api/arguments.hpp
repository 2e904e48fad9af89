// Arguments of the C interface as the types of the core.
#pragma once

#include <cstdint>

#include "base/box.hpp"
#include "catalog/definition.hpp"
#include "put/field_view.hpp"

namespace thalweg::api {

// values: null for zeros.
Index index_of(const std::int64_t* values, int rank);

// An array as thalweg_put has it. Errors: SHAPE, ARGUMENT.
put::Field field_of(const void* data, int type, int rank, const std::int64_t* extent, const std::int64_t* stride);

// One into which values go. Without data it is that of a rank that holds nothing, whatever extents are said. Errors: as
// of field_of.
put::Field array_of(void* data, int type, int rank, const std::int64_t* extent, const std::int64_t* stride);

// Of type CHAR it is a text. Errors: ARGUMENT.
catalog::Attribute attribute_of(const char* name, int type, int count, const void* values);

}  // namespace thalweg::api
