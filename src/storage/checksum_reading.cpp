#include "storage/checksum_reading.hpp"

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "storage/checksum_file.hpp"
#include "storage/file_identity.hpp"
#include "storage/read_text.hpp"

namespace thalweg::storage {
namespace {

std::uint64_t sum_of(const std::string& text) {
  std::uint64_t sum = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), sum, 16);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("'{}' is no sum", text));
  return sum;
}

SaidSums said_of(const nlohmann::json& variable) {
  SaidSums said{variable.at("elements").get<std::int64_t>(), variable.contains("records"), {}};
  if (!said.has_records) said.sums.push_back(sum_of(variable.at("sum").get<std::string>()));
  if (said.has_records)
    for (const nlohmann::json& sum : variable.at("records")) said.sums.push_back(sum_of(sum.get<std::string>()));
  return said;
}

// Errors: as those of reading and parsing, whatever the companion has in it.
std::map<std::string, SaidSums> sums_in(const nlohmann::json& said) {
  std::map<std::string, SaidSums> sums;
  for (const nlohmann::json& variable : said.at("variables"))
    sums.emplace(variable.at("name").get<std::string>(), said_of(variable));
  return sums;
}

nlohmann::json parsed(const std::string& companion) {
  const std::string text = read_text(companion);
  nlohmann::json said = nlohmann::json::parse(text, nullptr, false);
  if (said.is_discarded())
    throw std::invalid_argument(
        fmt::format("its {} are no JSON; it was cut short, or changed", counted(std::ssize(text), "byte")));
  return said;
}

void tell(const std::string& path, const std::string& why) {
  log::warning("'{}' cannot be compared with what '{}' holds: {}", checksum_path(path), path, why);
}

}  // namespace

std::optional<std::map<std::string, SaidSums>> read_sums(const std::string& path) {
  const std::string companion = checksum_path(path);
  if (!is_there(companion)) return std::nullopt;
  try {
    const nlohmann::json said = parsed(companion);
    if (said.at("file").get<std::string>() != std::filesystem::path(path).filename())
      throw std::invalid_argument("it is of another file");
    return sums_in(said);
  } catch (const std::exception& error) {
    tell(path, error.what());
    return std::nullopt;
  }
}

std::string fault_of_sums(const std::string& path) {
  const std::string companion = checksum_path(path);
  if (!is_there(companion)) return "";
  try {
    sums_in(parsed(companion));
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::optional<std::vector<block::Sums>> read_record_sums(const std::string& path, const block::SummedFiles& of) {
  const auto said = read_sums(path);
  if (!said) return std::nullopt;
  std::vector<block::Sums> records;
  for (std::size_t v = 0; v < of.variables.size(); ++v) {
    if (!of.variables[v].has_record) continue;
    const auto found = said->find(of.variables[v].name);
    if (found == said->end() || !found->second.has_records) {
      tell(path, fmt::format("it has no records of '{}'", of.variables[v].name));
      return std::nullopt;
    }
    const std::vector<std::uint64_t>& sums = found->second.sums;
    if (records.empty()) records.resize(sums.size(), block::Sums(of.variables.size()));
    if (sums.size() != records.size()) {
      tell(path, fmt::format("'{}' has {} there", of.variables[v].name, counted(std::ssize(sums), "record")));
      return std::nullopt;
    }
    for (std::size_t r = 0; r < records.size(); ++r) records[r][v] = sums[r];
  }
  return records;
}

}  // namespace thalweg::storage
