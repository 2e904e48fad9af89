// What a file contains: dimensions, variables, attributes. The same on every rank, and the only input of a header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "base/types.hpp"
#include "config/settings.hpp"

namespace thalweg::catalog {

struct Dimension {
  std::string name;
  std::int64_t size = 0;
};

struct Attribute {
  std::string name;
  std::optional<Type> type;  // nothing: text
  std::string text;
  std::vector<std::byte> values;  // host order, whole elements of type
};

struct Variable {
  std::string name;
  Type type = Type::float64;
  bool has_record = false;      // the record dimension comes first, and is not in dimensions
  std::vector<int> dimensions;  // indices into Definition::dimensions, slowest first
  std::vector<Attribute> attributes;
  Index chunk;                     // chunked formats: extents of a chunk in dimensions (record dimension left out)
  std::int64_t chunk_records = 1;  // chunked formats: records a chunk spans
};

struct Definition {
  config::Format format = config::Format::netcdf4;
  std::string record_dimension;
  std::vector<Dimension> dimensions;  // without the record dimension
  std::vector<Variable> variables;
  std::vector<Attribute> attributes;
  std::int64_t header_reserve = 8192;  // bytes kept free in the header

  Index shape(const Variable& variable) const {
    Index shape;
    for (int d : variable.dimensions) shape.push_back(dimensions[static_cast<std::size_t>(d)].size);
    return shape;
  }
};

}  // namespace thalweg::catalog
