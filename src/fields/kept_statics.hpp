// What is put of static fields while collections wait for others, or choose by the values of a coordinate: they are put
// once, and who chooses them later has them, too.
#pragma once

#include <functional>
#include <list>
#include <set>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "fields/axis.hpp"
#include "fields/field.hpp"
#include "put/field_view.hpp"

namespace thalweg::fields {

class KeptStatics {
 public:
  explicit KeptStatics(const config::Settings& settings);

  // Its values may decide what collections have of others.
  bool decides(const Field& field) const;

  void keep(int field, int box, const put::Field& array);
  // Of a dimension of so many cells. Throws what is wrong, and what to do.
  Axis axis_of(const std::string& dimension, std::int64_t size, const std::vector<Field>& fields) const;
  // As it was put; null: it was not.
  const put::Field* array_of(int field, int box) const {
    const Kept* kept = kept_of(field, box);
    return kept == nullptr ? nullptr : &kept->array;
  }
  using Put = std::function<void(int field, int box, const put::Field& array)>;
  void put_all(const Put& put) const;
  // Nobody waits any longer.
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    int field;
    int box;
    put::Field array;
    std::vector<std::byte> bytes;
  };
  const Kept* kept_of(int field, int box) const;

  bool are_coordinates_needed_ = false;  // of dimensions, of which each rank has all values
  bool are_places_needed_ = false;       // latitudes and longitudes of cells
  std::set<std::string> weighing_;       // fields, or their last parts
  std::list<Kept> kept_;
};

}  // namespace thalweg::fields
