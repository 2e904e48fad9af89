// From the configuration's words on compression to what is done with a variable's chunks.
#pragma once

#include "catalog/definition.hpp"

namespace thalweg::catalog {

// Attributes that tell readers how values were rounded; the names are netCDF-C's. (source: netcdf.h, NC_QUANTIZE_*)
constexpr const char* kept_bits_attribute = "_QuantizeBitRoundNumberOfSignificantBits";
constexpr const char* kept_digits_attribute = "_QuantizeGranularBitRoundNumberOfSignificantDigits";

// What the configuration says of a variable's chunk along a dimension; 0: nothing.
std::int64_t chunk_cells(const config::CollectionSettings& settings, const std::string& variable,
                         const std::string& dimension);

// Encoding of a variable in chunks: its own settings, else the collection's, else the defaults. Rounding that is set
// for the whole collection concerns floating-point variables with records only: coordinates stay exact.
Encoding encoding_of(const config::CollectionSettings& settings, const Variable& variable);

}  // namespace thalweg::catalog
