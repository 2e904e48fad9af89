// What one writer has written of a file, and of all files of a collection.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "profile/record_rates.hpp"

namespace thalweg::profile {

struct Written {
  std::int64_t raw_bytes = 0;   // of the blocks, as the model put them
  std::int64_t file_bytes = 0;  // that went to the storage for them and the rest of the files
  std::int64_t chunks = 0;      // 0: the format has none
  double write_s = 0.0;
  double sync_s = 0.0;
  BestRecord best{};

  double bytes_per_s() const {
    return write_s + sync_s > 0.0 ? static_cast<double>(file_bytes) / (write_s + sync_s) : 0.0;
  }
  Written& operator+=(const Written& other);
};

struct WrittenFile {
  std::string file;
  std::int64_t records = 0;  // up to the last one of which this writer has written something
  Written written{};
};

// Of a series only the first files are told one by one, so that a profile stays small.
struct WrittenFiles {
  static constexpr std::size_t most_told = 128;

  Written all{};
  std::vector<WrittenFile> told{};
  std::int64_t left_out = 0;

  void add(WrittenFile file);
  WrittenFiles& operator+=(const WrittenFiles& other);

 private:
  void tell(const WrittenFile& file);
};

// Rates are in it, and follow from the rest when it is read.
void to_json(nlohmann::json& json, const Written& written);
void from_json(const nlohmann::json& json, Written& written);
void to_json(nlohmann::json& json, const WrittenFile& file);
void from_json(const nlohmann::json& json, WrittenFile& file);

}  // namespace thalweg::profile
