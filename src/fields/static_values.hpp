// What was put of static fields, cell by cell of a decomposition.
#pragma once

#include <compare>
#include <vector>

#include "fields/defined_fields.hpp"
#include "fields/kept_statics.hpp"
#include "fields/nearest_cells.hpp"

namespace thalweg::fields {

class StaticValues {
 public:
  // All outlives this.
  StaticValues(session::Session& session, const DefinedFields& fields, const KeptStatics& statics)
      : session_(session), fields_(fields), statics_(statics) {}

  // Of a field that has the dimensions of the decomposition and no others, in the order of numbers_of_cells; NaN: of
  // those that stand for none. Throws what is wrong, and what to do.
  std::vector<double> of_cells(int field) const;
  // The fields that say where the cells of a field lie; -1: there is none on its decomposition.
  struct Coordinates {
    int longitude = -1;
    int latitude = -1;
    friend auto operator<=>(const Coordinates&, const Coordinates&) = default;
  };
  Coordinates coordinates_of(const Field& field) const;
  // Longitudes and latitudes of the cells of a decomposition, by their two coordinates, or by one for each dimension.
  std::vector<Place> places_of(int decomposition, const Coordinates& coordinates) const;

 private:
  int coordinate_of(const Field& field, bool is_latitude) const;

  session::Session& session_;
  const DefinedFields& fields_;
  const KeptStatics& statics_;
};

}  // namespace thalweg::fields
