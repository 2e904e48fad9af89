// Static fields that are put before collections choose, where some of these choose by the values of a coordinate: they
// are kept until it is known who has them.
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

class EarlyCoordinates {
 public:
  explicit EarlyCoordinates(const config::Settings& settings);

  // Whether a put of the field is kept. It is no decomposed one: each rank has all of its values.
  bool keeps(const Field& field) const {
    return is_needed_ && !is_ended_ && field.is_static && field.decomposition < 0;
  }
  // Collections choose now.
  void end() { is_ended_ = true; }

  void keep(int field, int box, const put::Field& array);
  // Of a dimension of so many cells. Throws what is wrong, and what to do.
  Axis axis_of(const std::string& dimension, std::int64_t size, const std::vector<Field>& fields) const;
  // Puts what is kept and can be put now. It is kept no longer.
  using CanBePut = std::function<bool(int field)>;
  using Put = std::function<void(int field, int box, const put::Field& array)>;
  void put(const CanBePut& can_be_put, const Put& put);

 private:
  struct Kept {
    int field;
    int box;
    put::Field array;
    std::vector<std::byte> bytes;
  };
  const Kept* kept_of(int field) const;

  bool is_needed_ = false;
  bool is_ended_ = false;
  std::list<Kept> kept_;
};

}  // namespace thalweg::fields
