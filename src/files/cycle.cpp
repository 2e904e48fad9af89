#include "files/cycle.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/log.hpp"
#include "formats/registry.hpp"
#include "storage/part_name.hpp"
#include "storage/posix.hpp"

namespace thalweg::files {
namespace {

// Of a set, one of its parts. Empty: nothing has the name.
std::string there_at(const std::string& path) {
  if (storage::is_there(path)) return path;
  const std::vector<std::string> parts = storage::parts_beside(path);
  return parts.empty() ? "" : parts.front();
}

std::optional<double> time_in(const std::string& path, const formats::RunStart& start) {
  try {
    const formats::FormatRow* row = formats::row_at(path);
    if (row == nullptr || row->first_record == nullptr) return std::nullopt;
    const formats::FoundRecords found = row->first_record(path);
    std::string why;
    return found.first ? formats::model_time(*found.first, start, &why) : std::nullopt;
  } catch (const std::exception& error) {
    log::debug("the time of '{}' is not known: {}", path, error.what());
    return std::nullopt;
  }
}

}  // namespace

std::int64_t first_of_cycle(const std::string& collection, std::int64_t cycle,
                            const std::function<std::string(std::int64_t number)>& path_of,
                            const formats::RunStart& start, bool start_is_told) {
  for (std::int64_t number = 0; number < cycle; ++number)
    if (there_at(path_of(number)).empty()) return number;
  std::vector<double> times_s;
  for (std::int64_t number = 0; number < cycle; ++number)
    times_s.push_back(time_in(there_at(path_of(number)), start).value_or(-std::numeric_limits<double>::infinity()));
  const auto latest = std::ranges::max_element(times_s);
  if (!start_is_told || *latest <= start.time_s + formats::time_slack_s)
    return std::ranges::min_element(times_s) - times_s.begin();
  const std::int64_t number = latest - times_s.begin();
  log::warning(
      "collection '{}': '{}' is of a later time than the start of this run, as of another run; it is "
      "replaced first",
      collection, path_of(number));
  return number;
}

}  // namespace thalweg::files
