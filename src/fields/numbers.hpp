// Numbers of any type as float64, and back. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/types.hpp"
#include "catalog/definition.hpp"

namespace thalweg::fields {

// stride: bytes from one element to the next.
void load_numbers(Type type, const std::byte* from, std::int64_t stride, double* to, std::int64_t count);

// False: the type has no such number, and nothing is stored. Real types have all, rounded.
bool store_number(Type type, std::byte* to, double value);

// The same of what is computed: where a real number is one of those that stand for none, the next one towards 0 is
// stored, or the least above it.
bool store_result(Type type, std::byte* to, double value, const std::vector<double>& numbers_for_none);

// NaN, as float64: in place of a value where there is none.
Element no_value();

// Those of an attribute; of a text none.
std::vector<double> numbers_of(const catalog::Attribute& attribute);
// As numbers of another type; nothing: it has not all of them.
std::optional<catalog::Attribute> converted(const catalog::Attribute& attribute, Type type);

}  // namespace thalweg::fields
