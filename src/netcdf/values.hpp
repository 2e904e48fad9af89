// Arrays as a program passes them to a netCDF call: seen as the box that start and count say, and converted to the type
// of the variable as netCDF does. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "base/types.hpp"
#include "put/field_view.hpp"

namespace thalweg::netcdf {

// A start or a count as it came: as many values as the program gave, for the fastest dimensions, slowest first.
using Given = std::optional<Index>;

// The box of a call. What start and count have more than the variable has dimensions, netCDF does not look at: where
// start is not given, it is 0, and where count is not given, it is the extent of the array along its dimensions, which
// are the fastest, and 1 along others. shape: of the variable; of a record dimension, which comes first, -1. Errors:
// SHAPE, with `where` in front.
Box box_of(const Given& start, const Given& count, const Index& extent, const Index& shape, const std::string& where);

// The array with the extents of `count`: dimensions of one element come and go, and an array of one dimension without
// gaps is taken as a buffer of the box in its order, if it is long enough. Errors: SHAPE.
put::Field viewed_as(const put::Field& array, const Index& count, const std::string& where);

// Whether a put takes the type as it is: netCDF has no integers that are taken bit by bit.
bool is_taken(Type memory, Type file);

// The values in a contiguous array of the type, as netCDF converts: reals lose their fraction. Errors: SHAPE for text
// and numbers, and a value that the type cannot hold.
struct Values {
  std::unique_ptr<std::byte[]> bytes;
  put::Field field;  // of these
};
Values converted(const put::Field& array, Type type, const std::string& where);

// Of an array without gaps; it tells values apart.
std::uint64_t fingerprint_of(const put::Field& array);

// A copy of them, as they are.
Values copied(const put::Field& array);

// All of an array, of which the parts come one by one.
class Joined {
 public:
  Joined(const Index& shape, Type type);
  // Of that type.
  void add(const Box& box, const put::Field& array);
  bool is_complete() const { return missing_ == 0; }
  const put::Field& field() const { return values_.field; }

 private:
  Values values_;
  std::vector<Box> come_;
  std::int64_t missing_;  // elements
};

// A copy of text whose fastest dimension is made that long by zeros, which is what netCDF has where nothing is written.
Values lengthened(const put::Field& text, std::int64_t length);

}  // namespace thalweg::netcdf
