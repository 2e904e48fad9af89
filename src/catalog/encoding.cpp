#include "catalog/encoding.hpp"

#include "base/error.hpp"

namespace thalweg::catalog {
namespace {

using config::Codec;
using config::CompressionSettings;

bool is_real(Type type) {
  return type == Type::float32 || type == Type::float64;
}

int default_level(Codec codec) {
  return codec == Codec::zstd ? 3 : 4;
}

}  // namespace

std::int64_t chunk_cells(const config::CollectionSettings& settings, const std::string& variable,
                         const std::string& dimension) {
  if (const auto own = settings.variables.find(variable); own != settings.variables.end())
    if (const auto cells = own->second.chunks.find(dimension); cells != own->second.chunks.end()) return cells->second;
  const auto cells = settings.chunks.find(dimension);
  return cells == settings.chunks.end() ? 0 : cells->second;
}

Encoding encoding_of(const config::CollectionSettings& settings, const Variable& variable) {
  const CompressionSettings none;
  const auto found = settings.variables.find(variable.name);
  const CompressionSettings& own = found == settings.variables.end() ? none : found->second.compression;
  const CompressionSettings& all = settings.compression;
  const bool is_zarr = settings.format->traits.filters == config::ChunkFilters::zarr;
  Encoding encoding;
  encoding.codec = own.codec.value_or(all.codec.value_or(Codec::none));
  encoding.level = static_cast<int>(own.level.value_or(all.level.value_or(default_level(encoding.codec))));
  const bool shuffles = encoding.codec != Codec::none;
  // Zarr's codec that shuffles is one that compresses.
  const bool can_shuffle = size_of(variable.type) > 1 && (shuffles || !is_zarr);
  encoding.shuffle = own.shuffle.value_or(all.shuffle.value_or(shuffles)) && can_shuffle;
  // A chunk of several records cannot have a checksum; one that nobody asked for gives way.
  const bool is_of_one_record = chunk_cells(settings, variable.name, settings.record_dimension) <= 1;
  encoding.checksum = own.checksum.value_or(all.checksum.value_or(is_zarr && is_of_one_record));
  const bool says_own = own.keep_bits || own.keep_digits;
  if (variable.type == Type::character && says_own)
    fail(
        THALWEG_ERROR_CONFIG,
        "collection '{}', variable '{}': it holds characters, which cannot be rounded; leave keep-digits and keep-bits "
        "out of its 'compression'",
        settings.name, variable.name);
  if (!is_real(variable.type)) return encoding;
  // What is said for all is meant for fields: the time of a record is no field.
  if (!says_own && (!variable.has_record || variable.name == settings.record_dimension)) return encoding;
  const CompressionSettings& rounding = says_own ? own : all;
  encoding.keep_bits = rounding.keep_bits.value_or(0);
  encoding.keep_digits = encoding.keep_bits > 0 ? 0 : rounding.keep_digits.value_or(0);
  // More than the type has is all of it. (source: NC_QUANTIZE_MAX_*_NSB and NSD in netcdf.h; but netCDF-C 4.9.0 makes 2
  // of 1 where a float keeps 7 digits, so that 6 are the most here)
  const bool single = variable.type == Type::float32;
  if (encoding.keep_bits >= (single ? 23 : 52)) encoding.keep_bits = 0;
  if (encoding.keep_digits > (single ? 6 : 15)) encoding.keep_digits = 0;
  return encoding;
}

}  // namespace thalweg::catalog
