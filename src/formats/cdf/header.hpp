// Reads the header of a file in the netCDF classic formats (CDF-1, CDF-2, CDF-5): what it declares, and where it lies.
// No library, hence no MPI: a file is recovered where no MPI job can be started.
// (source: "The NetCDF Classic Format Specification", and for CDF-5 PnetCDF's "CDF-5 file format specification")
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "catalog/definition.hpp"

namespace thalweg::formats::cdf {

struct CdfLayout {
  int version = 0;                // 1, 2 or 5
  std::int64_t records = 0;       // as the header says
  std::int64_t record_bytes = 0;  // of one record of all record variables
  std::int64_t record_begin = 0;  // where record 0 starts; end of the fixed-size variables if there are no records
  std::int64_t bytes(std::int64_t record_count) const { return record_begin + record_count * record_bytes; }
};

// The bytes end before the header does.
struct HeaderGoesOn : Error {
  using Error::Error;
};

struct CdfHeader {
  CdfLayout layout;
  catalog::Definition definition;
  std::vector<std::int64_t> begins;  // of each variable: its values, or those of record 0
  std::int64_t end = 0;              // of the last value, padding left out: not every library writes it
  std::int64_t fixed_end = 0;        // of that without records
  std::int64_t record_end = 0;       // of that in record 0
  // It was written as a stream, and never told how many records came; layout.records is more than any file has.
  bool is_stream = false;

  std::int64_t end_with(std::int64_t records) const;
  std::int64_t records_in(std::int64_t file_bytes) const;  // of a stream: whole ones, but for padding
};

int cdf_version(config::Format format);  // 1, 2 or 5

// Of a variable the definition has as many dimensions as there are, which may be more than an Index holds.
// Throws FORMAT, naming path, if the bytes (the file's first ones) do not hold a whole header.
CdfHeader read_cdf_header(std::span<const std::byte> file, const std::string& path);
CdfLayout read_cdf_layout(std::span<const std::byte> file, const std::string& path);

// What an attribute takes in the header, where the number of its values has so many bytes.
std::int64_t cdf_attribute_bytes(const catalog::Attribute& attribute, std::int64_t count_bytes);

// The number of records as the header holds it, and where: at offset 4.
constexpr std::int64_t cdf_record_count_offset = 4;
std::size_t encode_cdf_record_count(int version, std::int64_t records, std::span<std::byte, 8> bytes);

}  // namespace thalweg::formats::cdf
