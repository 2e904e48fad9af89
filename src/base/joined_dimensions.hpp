// Dimensions of a variable, next to each other, along which an index list runs as one, row by row. Files have them
// apart; where values are cut, sent and copied they count as one. Pure arithmetic.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/box.hpp"

namespace thalweg {

class JoinedDimensions {
 public:
  JoinedDimensions() = default;  // none: all that follows gives back what it was given
  // first: the place of the slowest among the variable's dimensions. sizes: of each, slowest first.
  JoinedDimensions(int first, const Index& sizes) : first_(first), sizes_(sizes) {}

  bool any() const { return sizes_.rank() > 1; }
  int first() const { return first_; }
  const Index& sizes() const { return sizes_; }
  // Points with the same index along the slowest.
  std::int64_t row_points() const;
  // Extents in a file, which are whole along all joined dimensions but one, or 1 along those before it.
  Index joined(const Index& in_file) const;
  // The box in a file. Its stretch of the joined dimension is whole rows of the slowest.
  Box in_file(const Box& box) const;
  // From the strides of an array that has the joined dimension.
  Index stride_in_file(const Index& stride) const;

  friend bool operator==(const JoinedDimensions&, const JoinedDimensions&) = default;

 private:
  int first_ = 0;
  Index sizes_;
};

// Where the names stand among others, next to each other and in this order, each once; -1: they do not.
int place_of_joined(const std::vector<std::string>& among, const std::vector<std::string>& names);
// The names with one in place of those from `first` on: "lat*lon" for lat and lon.
std::vector<std::string> with_joined(std::vector<std::string> names, int first, std::size_t count);

}  // namespace thalweg
