// What a file contains: dimensions, variables, attributes. The same on every rank, and the only input of a header.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/box.hpp"
#include "base/joined_dimensions.hpp"
#include "base/types.hpp"
#include "config/settings.hpp"

namespace thalweg::catalog {

struct Dimension {
  std::string name;
  std::int64_t size = 0;

  friend bool operator==(const Dimension&, const Dimension&) = default;
};

struct Attribute {
  std::string name;
  std::optional<Type> type;  // nothing: text, which is never of type character
  std::string text;
  std::vector<std::byte> values;  // host order, whole elements of type

  Type element_type() const { return type.value_or(Type::character); }
  std::span<const std::byte> bytes() const { return type ? std::span(values) : std::as_bytes(std::span(text)); }
  friend bool operator==(const Attribute&, const Attribute&) = default;
};

inline Attribute text_attribute(std::string name, std::string text) {
  return {std::move(name), std::nullopt, std::move(text), {}};
}

// As "units = "m"" or "valid_range = 0, 0.5 (float32)", on one line, with all digits.
std::string text_of(const Attribute& attribute);

// The one of that name; null: there is none.
inline const Attribute* find(const std::vector<Attribute>& attributes, std::string_view name) {
  const auto found = std::ranges::find(attributes, name, &Attribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

// Of FMS, in its restarts (docs/formats/checksums.md).
constexpr const char* checksum_name = "checksum";

inline Attribute attribute_of(std::string name, Type type, std::span<const std::byte> values) {
  if (type != Type::character) return {std::move(name), type, "", {values.begin(), values.end()}};
  return {std::move(name), std::nullopt, {reinterpret_cast<const char*>(values.data()), values.size()}, {}};
}

// How chunks of a variable are made smaller before they are stored, in this order: values are rounded, then the bytes
// are filtered.
struct Encoding {
  std::int64_t keep_digits = 0;  // 0: all
  std::int64_t keep_bits = 0;    // 0: all
  config::Codec codec{};
  int level = 0;
  bool shuffle = false;
  bool store_noise = true;  // behind a shuffle, what the codec gains nothing on is stored
  bool checksum = false;

  bool changes_size() const { return codec || shuffle || checksum; }
  bool rounds() const { return keep_digits > 0 || keep_bits > 0; }
  friend bool operator==(const Encoding&, const Encoding&) = default;
};

struct Variable {
  std::string name;
  Type type = Type::float64;
  bool has_record = false;      // the record dimension comes first, and is not in dimensions
  std::vector<int> dimensions;  // indices into Definition::dimensions, slowest first
  JoinedDimensions joined;      // of an index list that runs along several of them
  std::vector<Attribute> attributes;
  // Chunked formats: extents of a chunk in dimensions (record dimension left out), a stretch of those that are joined.
  // A variable without record dimension that is not is_chunked is one array.
  bool is_chunked = false;
  Index chunk;
  std::int64_t chunk_records = 1;  // records a chunk spans
  Encoding encoding;
  bool takes_checksum = false;  // the complete file gives it the attribute `checksum`, as FMS does
  std::optional<Index> shard;   // Zarr: chunks that an object holds along dimensions; nothing: one chunk

  friend bool operator==(const Variable&, const Variable&) = default;
};

// What holes of the variable are filled with: its attribute _FillValue, or what netCDF has for its type.
inline Element fill_of(const Variable& variable) {
  Element fill = default_fill(variable.type);
  const Attribute* given = find(variable.attributes, "_FillValue");
  if (given != nullptr && given->element_type() == variable.type && given->bytes().size() == size_of(variable.type))
    std::ranges::copy(given->bytes(), fill.begin());
  return fill;
}

// Where a file has its variables that somebody else has made.
struct Places {
  std::vector<std::int64_t> begins;  // of each variable: its values, or those of its first record
  std::int64_t record_bytes = 0;     // distance of records

  friend bool operator==(const Places&, const Places&) = default;
};

struct Definition {
  config::Format format{};
  std::string record_dimension;
  bool one_record = false;            // each is a file of its own, which has no such dimension: see in_files
  std::vector<Dimension> dimensions;  // without the record dimension
  std::vector<Variable> variables;
  std::vector<Attribute> attributes;
  std::int64_t header_reserve = 8192;  // bytes kept free in the header
  config::Striping striping;           // where the file system can stripe
  std::optional<Places> places{};      // of a format that is placed

  const Variable& variable(int number) const { return variables[static_cast<std::size_t>(number)]; }
  // The number of the variable of that name; -1: there is none.
  int find(std::string_view name) const {
    const auto found = std::ranges::find(variables, name, &Variable::name);
    return found == variables.end() ? -1 : static_cast<int>(found - variables.begin());
  }
  Index shape(const Variable& variable) const {
    Index shape;
    for (int d : variable.dimensions) shape.push_back(dimensions[static_cast<std::size_t>(d)].size);
    return shape;
  }
  // As values are cut: dimensions that are joined are one.
  Index joined_shape(const Variable& variable) const { return variable.joined.joined(shape(variable)); }
  friend bool operator==(const Definition&, const Definition&) = default;
};

// What a file of one record has, of a collection whose records are files of their own: no record dimension. Any other
// definition is that of its files.
Definition in_files(Definition definition);

// Of two that differ in attributes alone, and in the room for them.
void take_attributes(Definition& definition, const Definition& from);

}  // namespace thalweg::catalog
