// What the formats cannot hold. (source: "The NetCDF Classic Format Specification"; for chunks the HDF5 reference of
// H5Pset_chunk)
#include "formats/limits.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "formats/format_file.hpp"
#include "formats/registry.hpp"

namespace thalweg::formats {
namespace {

using catalog::Attribute;
using catalog::Definition;
using catalog::Variable;

constexpr std::int64_t gib = std::int64_t{1} << 30;

bool in_classic(Type type) {
  return type == Type::int8 || type == Type::int16 || type == Type::int32 || type == Type::float32 ||
         type == Type::float64 || type == Type::character;
}

void check_type(const Definition& definition, Type type, const std::string& what) {
  if (row_of(definition.format).limits.is_classic && !in_classic(type))
    fail(THALWEG_ERROR_FORMAT,
         "{} has type {}, but {} holds int8, int16, int32, float32, float64 and char only; set format: cdf5 or netcdf4",
         what, name_of(type), definition.format->name);
}

void check_dimension(const Definition& definition, const catalog::Dimension& dimension) {
  if (dimension.size < 1)
    fail(THALWEG_ERROR_FORMAT, "dimension '{}' has size {}; in a file it has at least 1", dimension.name,
         dimension.size);
  const std::int64_t most = row_of(definition.format).limits.dimension;
  if (dimension.size > most)
    fail(THALWEG_ERROR_FORMAT, "dimension '{}' has size {}, but {} holds up to {}; set format: cdf5 or netcdf4",
         dimension.name, dimension.size, definition.format->name, most);
}

void check_chunk(const Definition& definition, const Variable& variable) {
  const Index shape = definition.shape(variable);
  const Index& chunk = variable.chunk;
  if (chunk.rank() != shape.rank())
    fail(THALWEG_ERROR_INTERNAL, "variable '{}' has {} dimensions and a chunk of {}", variable.name, shape.rank(),
         chunk.rank());
  std::int64_t bytes = static_cast<std::int64_t>(size_of(variable.type)) * variable.chunk_records;
  for (int d = 0; d < shape.rank(); ++d) {
    if (chunk[d] < 1 || chunk[d] > shape[d])
      fail(THALWEG_ERROR_FORMAT, "a chunk {} of variable '{}' does not fit into its shape {}", to_string(chunk),
           variable.name, to_string(shape));
    if (__builtin_mul_overflow(bytes, chunk[d], &bytes)) bytes = std::numeric_limits<std::int64_t>::max();
  }
  if (variable.chunk_records < 1 || bytes >= 4 * gib)
    fail(THALWEG_ERROR_FORMAT,
         "a chunk {} of {} records of variable '{}' has {} bytes, but the limit is 4 GiB - 1; set smaller 'chunks', a "
         "finer layout, or format: cdf5",
         to_string(chunk), variable.chunk_records, variable.name, bytes);
  const std::int64_t most_shuffled = row_of(definition.format).limits.shuffled_chunk_bytes;
  if (variable.encoding.shuffle && bytes > most_shuffled)
    fail(THALWEG_ERROR_FORMAT,
         "a chunk {} of variable '{}' has {} bytes, but a chunk that {} shuffles has at most {}; set smaller "
         "'chunks', or compression: {{codec: zstd, shuffle: false}}",
         to_string(chunk), variable.name, bytes, definition.format->files, most_shuffled);
}

void check_variable(const Definition& definition, const Variable& variable) {
  const auto what = fmt::format("variable '{}'", variable.name);
  check_type(definition, variable.type, what);
  for (const Attribute& attribute : variable.attributes) check_attribute(definition, attribute, what);
  if (variable.has_record && definition.record_dimension.empty())
    fail(THALWEG_ERROR_FORMAT, "{} has records, but the file has no record dimension", what);
  if (variable.is_chunked && definition.format->traits.chunked()) check_chunk(definition, variable);
}

}  // namespace

std::int64_t padded_bytes(const Definition& definition, const Variable& variable) {
  auto bytes = static_cast<std::int64_t>(size_of(variable.type));
  for (std::int64_t extent : definition.shape(variable))
    if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes > std::numeric_limits<std::int64_t>::max() - 4)
      fail(THALWEG_ERROR_FORMAT, "variable '{}' has more than 2^63 bytes; no format holds it: split it", variable.name);
  return (bytes + 3) / 4 * 4;
}

void refuse_size(const Definition& definition, const Variable& variable, const std::string& why) {
  fail(THALWEG_ERROR_FORMAT, "variable '{}' does not fit into {}: {}; set format: cdf5 or netcdf4", variable.name,
       definition.format->name, why);
}

void check_attribute(const Definition& definition, const Attribute& attribute, const std::string& owner) {
  const auto what = fmt::format("attribute '{}' of {}", attribute.name, owner);
  if (!attribute.type) return;
  check_type(definition, *attribute.type, what);
  if (attribute.values.size() % size_of(*attribute.type) != 0)
    fail(THALWEG_ERROR_INTERNAL, "{} has {} bytes, which are no whole number of {}", what, attribute.values.size(),
         name_of(*attribute.type));
}

void check_sizes(const Definition& definition) {
  for (const Variable& variable : definition.variables) padded_bytes(definition, variable);
}

void check_extents(const Definition& of) {
  const Definition definition = catalog::in_files(of);
  for (const catalog::Dimension& dimension : definition.dimensions) check_dimension(definition, dimension);
  check_sizes(definition);
  if (const auto check = row_of(definition.format).check_extents) check(definition);
}

void check_limits(const Definition& of) {
  const Definition definition = catalog::in_files(of);
  for (const catalog::Dimension& dimension : definition.dimensions) check_dimension(definition, dimension);
  for (const Variable& variable : definition.variables) check_variable(definition, variable);
  for (const Attribute& attribute : definition.attributes) check_attribute(definition, attribute, "the file");
  check_extents(definition);
}

}  // namespace thalweg::formats
