// What is put of static fields while collections wait for others, or choose by the values of a coordinate: they are put
// once, and who chooses them later has them, too.
#pragma once

#include <functional>
#include <list>
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

  // Its values may decide what collections choose. It is no decomposed one: each rank has all of its values.
  bool is_coordinate(const Field& field) const {
    return are_coordinates_needed_ && field.is_static && field.decomposition < 0;
  }

  void keep(int field, int box, const put::Field& array);
  // Of a dimension of so many cells. Throws what is wrong, and what to do.
  Axis axis_of(const std::string& dimension, std::int64_t size, const std::vector<Field>& fields) const;
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

  bool are_coordinates_needed_ = false;
  std::list<Kept> kept_;
};

}  // namespace thalweg::fields
