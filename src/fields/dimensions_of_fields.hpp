// The dimensions of fields in the session, and in collections that have a region of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "fields/field.hpp"
#include "fields/picked.hpp"
#include "fields/region.hpp"
#include "put/put_variable.hpp"
#include "session/session.hpp"

namespace thalweg::fields {

// Those that no decomposition has, by their names.
using Dimensions = std::map<std::string, std::int64_t>;

// Null: it has none.
const geometry::Decomposition* decomposition_of(session::Session& session, const Field& field);
// The dimensions of that.
std::vector<std::string> divided_by(session::Session& session, const Field& field);

// Of a field, by the names of its dimensions.
Dimensions sizes_of(session::Session& session, const Field& field, const Dimensions& dimensions);

// With their sizes, as "lat = 18, lon = 36".
std::string dims_of(session::Session& session, const Field& field, const Dimensions& dimensions);

// How a variable of a field is defined.
struct DefinedDimensions {
  std::string dims;
  std::string memory_dims;
  int decomposition = -1;
};

// ending: of the names of dimensions that the region has a part of, where a file has parts of several. is_sketched: of
// a sketch. Local, else the same on every client.
DefinedDimensions dimensions_in(session::Session& session, const Field& field, const Region& region,
                                const std::string& ending = "", bool is_sketched = false);

// Defines those that no decomposition of the field has.
void define_dimensions(session::Session& session, session::Collection& collection, const Field& field,
                       const Dimensions& dimensions, const Region& region, const std::string& ending = "");

// How this rank's arrays of a field lie, the same for all variables that are chosen of it.
struct HeldField {
  std::vector<Box> boxes;
  put::PutVariable variable;
};

// By a variable of a collection. leading: how many dimensions it has before those of the field.
HeldField held_in(session::Session& session, const session::Collection& collection, int variable, int leading = 0);

// Of a field that no collection has.
HeldField held_alone(session::Session& session, const Field& field, const Dimensions& dimensions);

// Which dimension of its boxes is called so.
int place_in_boxes(session::Session& session, const Field& field, const std::string& dimension);
// Of a field of which that one is made, or of the coordinate, by how that one is held.
HeldField held_in_columns(session::Session& session, const HeldField& made, const Field& of_levels, const Field& of,
                          const Dimensions& dimensions);

// All that this rank holds of a field, and what of it a collection has.
struct FieldInRegion {
  HeldField whole;
  PickedBoxes boxes;
};
FieldInRegion field_in_region(session::Session& session, const session::Collection& collection, int variable,
                              const Field& field, const Region& region, int leading = 0);

}  // namespace thalweg::fields
