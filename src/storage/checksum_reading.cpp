#include "storage/checksum_reading.hpp"

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/log.hpp"
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

std::vector<block::Sums> sums_of(const nlohmann::json& companion, const block::SummedFiles& of) {
  std::vector<block::Sums> records(companion.at("records").get<std::size_t>(), block::Sums(of.variables.size()));
  for (std::size_t v = 0; v < of.variables.size(); ++v) {
    if (!of.variables[v].has_record) continue;
    const auto& all = companion.at("variables");
    const auto found = std::ranges::find_if(
        all, [&](const nlohmann::json& one) { return one.at("name").get<std::string>() == of.variables[v].name; });
    if (found == all.end()) throw std::invalid_argument(fmt::format("it has no '{}'", of.variables[v].name));
    const auto& sums = found->at("records");
    for (std::size_t r = 0; r < records.size(); ++r) records[r][v] = sum_of(sums.at(r).get<std::string>());
  }
  return records;
}

}  // namespace

std::optional<std::vector<block::Sums>> read_record_sums(const std::string& path, const block::SummedFiles& of) {
  const std::string companion = checksum_path(path);
  if (!is_there(companion)) return std::nullopt;
  try {
    const nlohmann::json said = nlohmann::json::parse(read_text(companion));
    if (said.at("file").get<std::string>() != std::filesystem::path(path).filename())
      throw std::invalid_argument("it is of another file");
    return sums_of(said, of);
  } catch (const std::exception& error) {
    log::warning("'{}' cannot be compared with what '{}' holds: {}", companion, path, error.what());
    return std::nullopt;
  }
}

}  // namespace thalweg::storage
