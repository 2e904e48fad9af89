// Numbers of any type as float64, and back. Pure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/types.hpp"
#include "catalog/definition.hpp"

namespace thalweg::fields {

// stride: bytes from one element to the next.
void load_numbers(Type type, const std::byte* from, std::int64_t stride, double* to, std::int64_t count);

// The value must be one of the type's; what lies behind it is returned.
std::byte* store_number(Type type, std::byte* to, double value);

// The first value of an attribute that has any.
double number_of(const catalog::Attribute& attribute);
// All of them, as numbers of another type.
catalog::Attribute converted(const catalog::Attribute& attribute, Type type);

}  // namespace thalweg::fields
