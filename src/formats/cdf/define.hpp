// Defines a CDF file with PnetCDF: all that a reader expects, no data. The header is the same whoever writes the data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/definition.hpp"

namespace thalweg::formats::cdf {

// Where the library has put the variables.
struct CdfPlaces {
  std::vector<std::int64_t> begins;  // of each variable
  std::int64_t record_bytes = 0;     // distance of records
  std::int64_t record_begin = 0;     // of the first record, or the end of the file where there are none

  std::int64_t end_of(std::int64_t records) const { return record_begin + records * record_bytes; }
  bool operator==(const CdfPlaces&) const = default;
};

int cdf_version(config::Format format);  // 1, 2 or 5
int cdf_creation_mode(config::Format format);

// Throws STORAGE or FORMAT for a status that says so.
void check_cdf(int status, const std::string& what, const std::string& path);

// From the creation of a file to the end of its definitions; collective as the file is.
void define_cdf(int id, const catalog::Definition& definition, const std::string& path);

CdfPlaces cdf_places(int id, const catalog::Definition& definition, const std::string& path);

}  // namespace thalweg::formats::cdf
