#include "block/object_layout.hpp"

namespace thalweg::block {

Index ObjectGrid::objects() const {
  Index count = Index::filled(shape.rank(), 1);
  for (int d = has_record ? 1 : 0; d < shape.rank(); ++d) count[d] = divide_up(shape[d], object[d]);
  return count;
}

Index ObjectGrid::object_chunks() const {
  Index count = Index::filled(shape.rank(), 1);
  for (int d = 0; d < shape.rank(); ++d) count[d] = object[d] / chunk[d];
  return count;
}

}  // namespace thalweg::block
