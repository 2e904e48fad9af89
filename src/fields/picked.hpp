// What a region has of the boxes of a field: of arrays as the program passes them, and of samples. Pure.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fields/sample.hpp"
#include "geometry/selection.hpp"

namespace thalweg::fields {

// What is picked of a box; dimensions are in the order of memory.
struct PickedBox {
  int number = 0;                           // among this rank's boxes of the region
  Index box;                                // extents of all of it
  std::vector<geometry::Selection> within;  // along each dimension

  Index extent() const;
  friend bool operator==(const PickedBox&, const PickedBox&) = default;
};

// Of each of this rank's boxes.
using PickedBoxes = std::vector<std::vector<PickedBox>>;

// The picked cells of an array that is the box without halo: a view of it where strides can say that, or else a copy.
class PickedArray {
 public:
  // The array outlives this.
  PickedArray(const put::Field& array, const PickedBox& picked);
  PickedArray(const PickedArray&) = delete;
  PickedArray& operator=(const PickedArray&) = delete;

  const put::Field& field() const { return field_; }

 private:
  void copy(const put::Field& array, const PickedBox& picked);

  put::Field field_;
  std::vector<std::byte> copied_;
};

// What was put of the picked cells of a box, as a sample of a box of its own. of outlives this.
class PickedSample {
 public:
  PickedSample(const PutSample& of, const PickedBox& picked);

  PutSample put() const;

 private:
  class Cells;
  void take(const PickedBox& picked);

  const PutSample& of_;
  std::optional<PickedArray> array_;
  std::unique_ptr<Strips> strips_;
  std::optional<Sample> sample_;  // of the array
  std::vector<std::uint8_t> holding_;
};

}  // namespace thalweg::fields
