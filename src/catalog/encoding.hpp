// From the configuration's words on compression to what is done with a variable's chunks.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "catalog/definition.hpp"

namespace thalweg::catalog {

// How readers are told that values were rounded: by netCDF-C's attribute (source: netcdf.h, NC_QUANTIZE_*), and in the
// way of CF, where a variable without data says the algorithm for all variables that name it. (source: CF-1.12, section
// 8.4 "Lossy Compression via Quantization")
struct RoundingWords {
  const char* kept_for_netcdf;
  const char* kept_for_cf;
  const char* algorithm;
  const char* container;
};
constexpr RoundingWords bit_round_words{"_QuantizeBitRoundNumberOfSignificantBits", "quantization_nsb", "bitround",
                                        "quantization_info_bitround"};
constexpr RoundingWords granular_bit_round_words{"_QuantizeGranularBitRoundNumberOfSignificantDigits",
                                                 "quantization_nsd", "granular_bitround",
                                                 "quantization_info_granular_bitround"};

// What the configuration says of a variable's chunk along a dimension; 0: nothing.
std::int64_t chunk_cells(const config::CollectionSettings& settings, const std::string& variable,
                         const std::string& dimension);

// Variables that others name as their coordinates, or as bounds of them: no data. (source: CF-1.12, sections 5 and 7)
std::set<std::string> coordinates_in(const std::vector<Variable>& variables);

// Encoding of a variable in chunks: its own settings, else the collection's, else the defaults. Rounding that is set
// for the whole collection concerns floating-point variables with records only, and no coordinates: these stay exact.
Encoding encoding_of(const config::CollectionSettings& settings, const Variable& variable,
                     const std::set<std::string>& coordinates = {});

}  // namespace thalweg::catalog
