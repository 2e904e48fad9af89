// What is put of static fields while collections wait for others, or choose by the values of a coordinate: they are put
// once, and who chooses them later has them, too.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "fields/axis.hpp"
#include "fields/field.hpp"
#include "fields/sample.hpp"
#include "put/field_view.hpp"

namespace thalweg::fields {

class KeptStatics {
 public:
  explicit KeptStatics(const config::Settings& settings);

  // Its values may decide what collections have of others. Any may, so that the order of their puts makes no
  // difference.
  bool decides(const Field& field) const { return are_needed_ && field.is_static; }

  // In a step: what is put of it in later ones changes nothing, as another put does of all that there is already.
  void keep(int field, int box, const put::Field& array, const PutTerms& terms, std::int64_t step);
  // Of a dimension of so many cells. Throws what is wrong, and what to do.
  Axis axis_of(const std::string& dimension, std::int64_t size, const std::vector<Field>& fields) const;
  using Put = std::function<void(int field, int box, const put::Field& array, const PutTerms& terms)>;
  // What was put of a field.
  void for_each_of(int field, const Put& use) const;
  void put_all(const Put& put) const;
  // Nobody waits any longer.
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    int field;
    int box;
    std::int64_t step;
    put::Field array;
    PutTerms terms;
    std::vector<std::byte> bytes, bytes_of_mask;
  };
  static void read(const Kept& kept, std::vector<double>& values, std::vector<bool>& are_there);
  std::vector<double> values_of(int number, const Field& field, std::int64_t size) const;

  bool are_needed_ = false;  // coordinates, or what weighs cells
  std::list<Kept> kept_;
};

}  // namespace thalweg::fields
