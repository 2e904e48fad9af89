#include "files/cycle.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/log.hpp"
#include "formats/first_record.hpp"
#include "storage/file_identity.hpp"

namespace thalweg::files {
namespace {

std::optional<double> time_in(const std::string& path, const formats::RunStart& start) {
  try {
    const formats::FoundRecords found = formats::first_record_of(path);
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
    if (!storage::is_there(path_of(number))) return number;
  std::vector<double> times_s;
  for (std::int64_t number = 0; number < cycle; ++number)
    times_s.push_back(time_in(path_of(number), start).value_or(-std::numeric_limits<double>::infinity()));
  const auto latest = std::ranges::max_element(times_s);
  if (!start_is_told || *latest <= start.time_s + formats::time_slack_s)
    return std::ranges::min_element(times_s) - times_s.begin();
  const std::int64_t number = latest - times_s.begin();
  log::warning(
      "collection '{}': '{}' is of a later time than the start of this run, as of another run; it is replaced first",
      collection, path_of(number));
  return number;
}

}  // namespace thalweg::files
