// What is in an input, as every rank knows it: one reads it from the file, and tells the others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/record_times.hpp"
#include "read/conversion.hpp"
#include "read/file_reader.hpp"
#include "transport/packing.hpp"

namespace thalweg::read {

struct InputVariable {
  std::string name;
  Type type{};
  bool has_records = false;
  std::vector<std::string> dimensions;  // without the record dimension, slowest first
  Index shape;
  Index chunk;  // ones where values are not chunked
  Packing packing;
};

struct Contents {
  std::string version;  // of what was opened: others who open it later have to find the same
  std::string record_dimension;
  std::int64_t records = 0;
  std::vector<InputVariable> variables;
  std::vector<formats::LeftOut> left_out;
  std::vector<double> times_s;  // model times of the records
  std::string no_times;         // why they are not known; empty: they are

  const InputVariable* find(const std::string& name) const;
  std::vector<std::string> names() const;
};

Contents contents_of(FileReader& file, const std::string& path, const formats::RunStart& start);

transport::Bytes packed(const Contents& contents);
Contents unpacked(const transport::Bytes& bytes);

}  // namespace thalweg::read
