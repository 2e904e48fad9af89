// Makes the header of a file in the netCDF classic formats: what it declares, and where the data lie. The bytes are
// those that PnetCDF and netCDF-C write for the same definition. No library, hence no MPI-IO: a program that has its
// files written by Thalweg keeps its own choice of that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "catalog/definition.hpp"

namespace thalweg::formats::cdf {

// Where the variables are.
struct CdfPlaces {
  std::vector<std::int64_t> begins;  // of each variable
  std::int64_t record_bytes = 0;     // distance of records
  std::int64_t record_begin = 0;     // of the first record, or the end of the file where there are none

  std::int64_t end_of(std::int64_t records) const { return record_begin + records * record_bytes; }
  bool operator==(const CdfPlaces&) const = default;
};

struct EncodedHeader {
  std::vector<std::byte> bytes;  // without the room behind it
  CdfPlaces places;
};

// Of a file with so many records. path: for messages. Errors: FORMAT, for what no such file can hold and check_limits()
// does not know of.
EncodedHeader encode_cdf_header(const catalog::Definition& definition, std::int64_t records, const std::string& path);

}  // namespace thalweg::formats::cdf
