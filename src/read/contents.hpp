// What is in an input, as every rank knows it: one reads it from the file, and tells the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "formats/record_times.hpp"
#include "read/conversion.hpp"
#include "read/file_reader.hpp"
#include "read/selection.hpp"
#include "transport/packing.hpp"

namespace thalweg::read {

// A variable in a group may also be called "/group/name", as netCDF has it.
inline std::string name_in_file(const std::string& said) {
  return said.substr(said.starts_with('/') ? 1 : 0);
}

struct InputVariable {
  std::string name;
  Type type{};
  bool has_records = false;
  std::vector<std::string> dimensions;  // without the record dimension, slowest first
  Index shape;
  Index chunk;             // ones where values are not chunked
  bool has_codec = false;  // that chunks have gone through
  Packing packing;
  std::vector<catalog::Attribute> attributes;
  Selection selection{};  // of the variable in the file, whose shape and chunks are then those of this part

  // With that of records, if it has one.
  int all_dimensions() const { return shape.rank() + (has_records ? 1 : 0); }
};

struct Contents {
  std::string version;  // of what was opened: others who open it later have to find the same
  std::string record_dimension;
  std::int64_t records = 0;
  std::vector<InputVariable> variables;
  std::vector<catalog::Attribute> attributes;  // of the file
  std::vector<formats::LeftOut> left_out;
  std::vector<double> times_s;        // model times of the records
  std::string no_times;               // why they are not known; empty: they are
  std::optional<double> only_time_s;  // of a file without records, if it says one

  const InputVariable* find(const std::string& name) const;
  std::vector<std::string> names() const;
  // Of a record, or of a file without any (-1). Nothing: it is not known.
  std::optional<double> time_of(std::int64_t record) const;
};

// The record that has the time, of those at these times; of one at NaN the time is not known. path: for messages.
// Errors: NAME, with the nearest one.
std::int64_t record_at(const std::vector<double>& times_s, double time_s, const std::string& path);

// Times of records are counted from the reference date of the session.
inline formats::RunStart start_of(const config::Settings& settings) {
  return {settings.calendar, settings.reference_date, 0.0};
}

Contents contents_of(FileReader& file, const std::string& path, const formats::RunStart& start);

transport::Bytes packed(const Contents& contents);
Contents unpacked(const transport::Bytes& bytes);

}  // namespace thalweg::read
