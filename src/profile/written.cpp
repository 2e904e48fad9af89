#include "profile/written.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace thalweg::profile {

Written& Written::operator+=(const Written& other) {
  raw_bytes += other.raw_bytes;
  file_bytes += other.file_bytes;
  chunks += other.chunks;
  write_s += other.write_s;
  sync_s += other.sync_s;
  best = quicker(best, other.best);
  return *this;
}

void WrittenFiles::add(WrittenFile file) {
  all += file.written;
  tell(file);
}

WrittenFiles& WrittenFiles::operator+=(const WrittenFiles& other) {
  all += other.all;
  left_out += other.left_out;
  for (const WrittenFile& file : other.told) tell(file);
  return *this;
}

void WrittenFiles::tell(const WrittenFile& file) {
  if (told.size() < most_told)
    told.push_back(file);
  else
    ++left_out;
}

void to_json(nlohmann::json& json, const Written& written) {
  json = {{"raw_bytes", written.raw_bytes},
          {"file_bytes", written.file_bytes},
          {"chunks", written.chunks},
          {"write_s", written.write_s},
          {"sync_s", written.sync_s},
          {"bytes_per_s", written.bytes_per_s()},
          {"best_record",
           {{"record", written.best.record},
            {"bytes", written.best.bytes},
            {"write_s", written.best.write_s},
            {"bytes_per_s", written.best.bytes_per_s()}}}};
}

void from_json(const nlohmann::json& json, Written& written) {
  json.at("raw_bytes").get_to(written.raw_bytes);
  json.at("file_bytes").get_to(written.file_bytes);
  json.at("chunks").get_to(written.chunks);
  json.at("write_s").get_to(written.write_s);
  json.at("sync_s").get_to(written.sync_s);
  const nlohmann::json& best = json.at("best_record");
  best.at("record").get_to(written.best.record);
  best.at("bytes").get_to(written.best.bytes);
  best.at("write_s").get_to(written.best.write_s);
}

void to_json(nlohmann::json& json, const WrittenFile& file) {
  json = file.written;
  json["file"] = file.file;
  json["records"] = file.records;
}

void from_json(const nlohmann::json& json, WrittenFile& file) {
  json.at("file").get_to(file.file);
  json.at("records").get_to(file.records);
  json.get_to(file.written);
}

}  // namespace thalweg::profile
