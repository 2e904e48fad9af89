// What the formats cannot hold. (source: "The NetCDF Classic Format Specification" and "NetCDF File Format Limitations"
// of the netCDF User Guide; PnetCDF's CDF-5 specification; for chunks the HDF5 reference of H5Pset_chunk)
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "store/format_file.hpp"
#include "store/fortran_file.hpp"

namespace thalweg::store {
namespace {

using catalog::Attribute;
using catalog::Definition;
using catalog::Variable;
using config::Format;

constexpr std::int64_t gib = std::int64_t{1} << 30;

bool is_classic(Format format) {
  return format == Format::cdf1 || format == Format::cdf2;
}

bool in_classic(Type type) {
  return type == Type::int8 || type == Type::int16 || type == Type::int32 || type == Type::float32 ||
         type == Type::float64 || type == Type::character;
}

void check_type(const Definition& definition, Type type, const std::string& what) {
  if ((is_classic(definition.format) || definition.format == Format::netcdf4_classic) && !in_classic(type))
    fail(THALWEG_ERROR_FORMAT,
         "{} has type {}, but {} holds int8, int16, int32, float32, float64 and char only; set format: cdf5 or netcdf4",
         what, name_of(type), name_of_format(definition.format));
}

void check_dimension(const Definition& definition, const catalog::Dimension& dimension) {
  if (dimension.size < 1)
    fail(THALWEG_ERROR_FORMAT, "dimension '{}' has size {}; in a file it has at least 1", dimension.name,
         dimension.size);
  if (is_classic(definition.format) && dimension.size > std::numeric_limits<std::int32_t>::max())
    fail(THALWEG_ERROR_FORMAT, "dimension '{}' has size {}, but {} holds up to 2147483647; set format: cdf5 or netcdf4",
         dimension.name, dimension.size, name_of_format(definition.format));
}

// Bytes of the variable, or of one record of it, as the CDF formats pad them.
std::int64_t padded_bytes(const Definition& definition, const Variable& variable) {
  auto bytes = static_cast<std::int64_t>(size_of(variable.type));
  for (std::int64_t extent : definition.shape(variable))
    if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes > std::numeric_limits<std::int64_t>::max() - 4)
      fail(THALWEG_ERROR_FORMAT, "variable '{}' has more than 2^63 bytes; no format holds it: split it", variable.name);
  return (bytes + 3) / 4 * 4;
}

[[noreturn]] void refuse_size(const Definition& definition, const Variable& variable, const std::string& why) {
  fail(THALWEG_ERROR_FORMAT, "variable '{}' does not fit into {}: {}; set format: cdf5 or netcdf4", variable.name,
       name_of_format(definition.format), why);
}

// Limits of CDF-1 and CDF-2 on variables of one kind, fixed-size or with records, in the order of the file. The last
// one may have any size if nothing follows whose place would have to be expressed.
class ClassicSizes {
 public:
  ClassicSizes(const Definition& definition, std::int64_t begin)
      : definition_(definition), limit_((definition.format == Format::cdf1 ? 2 : 4) * gib - 4), begin_(begin) {}

  void add(const Variable& variable) {
    refuse_large();
    if (definition_.format == Format::cdf1 && begin_ > 2 * gib - 4)
      refuse_size(definition_, variable,
                  fmt::format("it would start at about byte {}, and cdf1 reaches up to 2 GiB - 4", begin_));
    last_bytes_ = padded_bytes(definition_, variable);
    last_ = &variable;
    begin_ += last_bytes_;
  }

  // If the last one is large, something that follows makes it one too many.
  void refuse_large() const {
    if (last_ != nullptr && last_bytes_ > limit_)
      refuse_size(definition_, *last_,
                  fmt::format("it has {} bytes{}, and only the last variable of a file may have more than {}",
                              last_bytes_, last_->has_record ? " a record" : "", limit_));
  }

  std::int64_t end() const { return begin_; }

 private:
  const Definition& definition_;
  std::int64_t limit_;
  std::int64_t begin_;
  std::int64_t last_bytes_ = 0;
  const Variable* last_ = nullptr;
};

void check_classic_sizes(const Definition& definition) {
  ClassicSizes fixed(definition, definition.header_reserve);
  bool has_records = false;
  for (const Variable& variable : definition.variables) {
    if (!variable.has_record) fixed.add(variable);
    has_records = has_records || variable.has_record;
  }
  if (has_records) fixed.refuse_large();
  ClassicSizes records(definition, fixed.end());
  for (const Variable& variable : definition.variables)
    if (variable.has_record) records.add(variable);
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
  constexpr std::int64_t most_of_blosc = 715827542;  // (source: c-blosc, blosc.h, BLOSC_MAX_BLOCKSIZE)
  if (definition.format == Format::zarr && variable.encoding.shuffle && bytes > most_of_blosc)
    fail(THALWEG_ERROR_FORMAT,
         "a chunk {} of variable '{}' has {} bytes, but a chunk that Zarr shuffles has at most {}; set smaller "
         "'chunks', or compression: {{codec: zstd, shuffle: false}}",
         to_string(chunk), variable.name, bytes, most_of_blosc);
}

void check_array(const Definition& definition, const Variable& variable) {
  const std::int64_t bytes = definition.shape(variable).product() * static_cast<std::int64_t>(size_of(variable.type));
  if (bytes > fortran_record_limit_bytes)
    refuse_size(definition, variable,
                fmt::format("it has {} bytes{}, and from {} on compilers cut what they read into parts", bytes,
                            variable.has_record ? " a record" : "", fortran_record_limit_bytes + 1));
}

void check_variable(const Definition& definition, const Variable& variable) {
  const auto what = fmt::format("variable '{}'", variable.name);
  check_type(definition, variable.type, what);
  for (const Attribute& attribute : variable.attributes) check_attribute(definition, attribute, what);
  if (variable.has_record && definition.record_dimension.empty())
    fail(THALWEG_ERROR_FORMAT, "{} has records, but the file has no record dimension", what);
  if (variable.is_chunked && traits_of(definition.format).chunked) check_chunk(definition, variable);
}

}  // namespace

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

void check_extents(const Definition& definition) {
  for (const catalog::Dimension& dimension : definition.dimensions) check_dimension(definition, dimension);
  check_sizes(definition);
  if (definition.format == Format::fortran)
    for (const Variable& variable : definition.variables) check_array(definition, variable);
  if (is_classic(definition.format)) check_classic_sizes(definition);
}

void check_limits(const Definition& definition) {
  for (const catalog::Dimension& dimension : definition.dimensions) check_dimension(definition, dimension);
  for (const Variable& variable : definition.variables) check_variable(definition, variable);
  for (const Attribute& attribute : definition.attributes) check_attribute(definition, attribute, "the file");
  check_extents(definition);
}

}  // namespace thalweg::store
