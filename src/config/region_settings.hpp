// What the configuration says of the part of its fields that a collection has, along their dimensions, and at which
// levels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/grid_settings.hpp"
#include "config/vertical_settings.hpp"

namespace thalweg::config {

// Counted from 0; both ends are in it.
struct IndexRange {
  std::int64_t from = 0;
  std::optional<std::int64_t> to;  // nothing: the last
  std::int64_t step = 1;
  friend bool operator==(const IndexRange&, const IndexRange&) = default;
};
using IndexList = std::vector<std::int64_t>;  // it ascends

// By the values of the dimension's coordinate.
struct ValueRange {
  double from = 0.0;
  double to = 0.0;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};
using ValueList = std::vector<double>;

struct PartOfDimension {
  std::string dimension;
  std::variant<IndexRange, IndexList, ValueRange, ValueList> part;

  bool is_by_values() const {
    return std::holds_alternative<ValueRange>(part) || std::holds_alternative<ValueList>(part);
  }
  friend bool operator==(const PartOfDimension&, const PartOfDimension&) = default;
};

struct RegionSettings {
  std::vector<PartOfDimension> parts;  // none: all of the fields
  std::string place{};                 // as CollectionSettings::chunks_place
  VerticalSettings vertical{};         // of the fields that have its dimension
  GridSettings grid{};                 // of the fields that a decomposition divides
};

}  // namespace thalweg::config
