#include "check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

#include "base/names.hpp"

using thalweg::counted;

namespace {

using Json = nlohmann::ordered_json;

std::string settings_text(const Json& settings, bool all) {
  std::vector<Json> shown;
  std::ranges::copy_if(settings, std::back_inserter(shown),
                       [all](const Json& line) { return all || line["origin"] != "default"; });
  std::size_t width = 0;
  for (const Json& line : shown) width = std::max(width, line["key"].get_ref<const std::string&>().size());
  std::string text = all ? "settings\n" : "settings that are not the default ones (--all shows all)\n";
  for (const Json& line : shown)
    text += fmt::format("  {:<{}} = {}  ({})\n", line["key"].get<std::string>(), width,
                        line["value"].get<std::string>(), line["origin"].get<std::string>());
  return text;
}

std::string intervals_text(const Json& collection) {
  if (collection["at_end"].get<bool>())
    return fmt::format("the record of '{}' has what is gathered over the whole run\n",
                       collection["name"].get<std::string>());
  std::string text =
      fmt::format("records of '{}' have what is gathered over {}\n", collection["name"].get<std::string>(),
                  collection["gathered_every"].get<std::string>());
  for (const Json& record : collection.value("records", Json::array()))
    text += fmt::format("  {}: from {} to {} → {}\n", record["record"].get<std::int64_t>(),
                        record["begin"].get<std::string>(), record["end"].get<std::string>(),
                        record["file"].get<std::string>());
  return text;
}

std::string records_text(const Json& collection) {
  if (collection["on_demand"].get<bool>())
    return fmt::format("records of '{}' are closed by the program\n", collection["name"].get<std::string>());
  if (collection.contains("gathered_every")) return intervals_text(collection);
  if (collection["at_end"].get<bool>())
    return fmt::format("the record of '{}' is that of the end of the run (thalweg_set_end_time)\n",
                       collection["name"].get<std::string>());
  std::string text = fmt::format("first records of '{}'\n", collection["name"].get<std::string>());
  const Json records = collection.value("records", Json::array());
  for (const Json& record : records) {
    const std::string date = record.contains("date") ? ", " + record["date"].get<std::string>() : "";
    text += fmt::format("  {}: after step {}{} → {}\n", record["record"].get<std::int64_t>(),
                        record["step"].get<std::int64_t>(), date, record["file"].get<std::string>());
  }
  return records.empty() ? text + "  none within 2,000,000 steps\n" : text;
}

// "0-3, 7".
std::string ranges(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < numbers.size(); first = last + 1) {
    last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[first]);
    if (last > first) text += fmt::format("-{}", numbers[last]);
  }
  return text;
}

struct Group {
  std::string_view role;
  std::string_view writes;  // "yes", "no", or "" where it does not matter
  std::string_view text;
};

constexpr Group groups[] = {{"client", "", "clients, which compute"},
                            {"server", "yes", "servers that write"},
                            {"server", "no", "servers that only receive"},
                            {"client", "yes", "clients that also write"},
                            {"idle", "", "idle"}};

std::string ranks_text(const Json& ranks) {
  std::set<std::int64_t> nodes;
  for (const Json& rank : ranks) nodes.insert(rank["node"].get<std::int64_t>());
  std::string text = fmt::format("{} on {}\n", counted(std::ssize(ranks), "rank"), counted(std::ssize(nodes), "node"));
  for (const Group& group : groups) {
    std::vector<std::int64_t> members;
    for (const Json& rank : ranks)
      if (rank["role"] == group.role && (group.writes.empty() || rank["writes"].get<bool>() == (group.writes == "yes")))
        members.push_back(rank["rank"].get<std::int64_t>());
    if (!members.empty()) text += fmt::format("  {:>6} {}: {}\n", members.size(), group.text, ranges(members));
  }
  return text;
}

}  // namespace

std::string report_of(const Json& found, bool all_settings) {
  std::string text = settings_text(found["settings"], all_settings);
  for (const Json& collection : found["collections"]) text += records_text(collection);
  if (found["collections"].empty())
    text += fmt::format("no collections: the model may name them freely, each with {}\n",
                        found["defaults"].get<bool>() ? "the settings of 'defaults'" : "default settings");
  if (found.contains("ranks")) text += ranks_text(found["ranks"]);
  return text;
}

std::string faults_of(const Json& found, const std::string& file) {
  std::string text;
  for (const Json& error : found["errors"]) text += error.get<std::string>() + "\n";
  std::int64_t faults = 0;
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
    faults += text[begin] != ' ' ? 1 : 0;
  return fmt::format("{}'{}' has {}\n", text, file, counted(faults, "error"));
}
