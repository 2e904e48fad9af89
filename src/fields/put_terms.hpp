// What a put of a field is checked for, and how its array is taken. Pure.
#pragma once

#include <optional>

#include "fields/sample.hpp"
#include "put/put_variable.hpp"

namespace thalweg::fields {

// Errors: ARGUMENT for the weight, SHAPE for an array that cannot be a part, or beside a mask.
void require_terms(const put::PutVariable& of, const put::Field& array, const PutTerms& terms);

// Of an array or its mask. Errors: SHAPE.
Sample sample_of(const put::PutVariable& of, const Box& cells, const put::Field& passed, const PutTerms& terms);

// A part lies in the box. Without a start it is all of it. Errors: SHAPE.
Part part_of(const put::PutVariable& of, const Index& box, const Sample& sample, const std::optional<Index>& start);

}  // namespace thalweg::fields
