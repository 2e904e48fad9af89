#include "files/cycle.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/log.hpp"
#include "formats/first_record.hpp"
#include "storage/file_identity.hpp"

namespace thalweg::files {
std::int64_t first_of_cycle(const std::string& collection, std::int64_t cycle,
                            const std::function<std::string(std::int64_t number)>& path_of,
                            const formats::RunStart& start, bool start_is_told) {
  for (std::int64_t number = 0; number < cycle; ++number)
    if (!storage::is_there(path_of(number))) return number;
  std::vector<double> times_s;
  for (std::int64_t number = 0; number < cycle; ++number)
    times_s.push_back(
        formats::first_time_of(path_of(number), start).value_or(-std::numeric_limits<double>::infinity()));
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
