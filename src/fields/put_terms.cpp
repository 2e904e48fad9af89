#include "fields/put_terms.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/told.hpp"

namespace thalweg::fields {

void require_terms(const put::PutVariable& of, const put::Field& array, const PutTerms& terms, bool is_joined) {
  if (terms.weight && !(std::isfinite(*terms.weight) && *terms.weight >= 0.0))
    fail(THALWEG_ERROR_ARGUMENT, "{}: a weight of {}; it must be finite, and not negative", of.where, *terms.weight);
  const bool is_long = array.type == Type::int64 || array.type == Type::uint64;
  if ((terms.mask || terms.start || is_joined) && is_long)
    fail(THALWEG_ERROR_SHAPE,
         "{}: the array is {}, of which values pass through float64 in parts, beside a mask and with 'repeat'; put it "
         "as a "
         "whole, with a missing value",
         of.where, name_of(array.type));
}

Sample sample_of(const put::PutVariable& of, const Box& cells, const put::Field& passed, const PutTerms& terms) {
  if (passed.type == Type::character)
    fail(THALWEG_ERROR_SHAPE, "{}: the array or its mask is of characters; both must be of numbers", of.where);
  if (terms.start) return Sample(passed);
  return Sample(passed, put::view_field(passed, cells, of.rules, of.where), cells.count, of.rules);
}

Part part_of(const put::PutVariable& of, const Index& box, const Sample& sample, const std::optional<Index>& start) {
  const Part part{start.value_or(Index::filled(box.rank(), 0)), sample.extent(), box};
  if (part.start.rank() != box.rank() || part.count.rank() != box.rank())
    fail(THALWEG_ERROR_SHAPE, "{}: the part has {} dimensions, but the field has {}", of.where, part.count.rank(),
         box.rank());
  for (int d = 0; d < box.rank(); ++d)
    if (part.start[d] < 0 || part.count[d] > box[d] || part.start[d] > box[d] - part.count[d])
      fail(THALWEG_ERROR_SHAPE,
           "{}: a part of {} cells from {} on in dimension {} of the array ({}, from {}), but the box has {}, which "
           "are counted without the halo",
           of.where, part.count[d], told::number(part.start[d]), told::dimension(d, box.rank()), told::order(),
           told::first(), box[d]);
  return part;
}

}  // namespace thalweg::fields
