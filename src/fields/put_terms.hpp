// What a put of a field is checked for, and how its array is taken. Pure.
#pragma once

#include <optional>

#include "fields/sample.hpp"
#include "put/put_variable.hpp"

namespace thalweg::fields {

// is_joined: with what else is put in the step. Errors: ARGUMENT for the weight, SHAPE for an array that cannot be
// joined, a part, or beside a mask.
void require_terms(const put::PutVariable& of, const put::Field& array, const PutTerms& terms, bool is_joined);

// Of an array or its mask. Errors: SHAPE.
Sample sample_of(const put::PutVariable& of, const Box& cells, const put::Field& passed, const PutTerms& terms);

// A part lies in the box. Without a start it is all of it. Errors: SHAPE.
Part part_of(const put::PutVariable& of, const Index& box, const Sample& sample, const std::optional<Index>& start);

}  // namespace thalweg::fields
