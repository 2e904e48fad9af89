#include "read/restart_set.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include "read/newest.hpp"

namespace thalweg::read {
namespace {

// The records of one member, by time.
struct Recorded {
  double time_s = 0.0;
  RestartRecord at;
};
using Records = std::vector<Recorded>;

Records records_of(FoundFiles& found) {
  Records records;
  for (const CompleteFile& file : found.complete) {
    if (file.times_s.empty()) found.passed_by.push_back(file.no_times);
    for (std::size_t r = 0; r < file.times_s.size(); ++r)
      records.push_back({file.times_s[r], {file.path, static_cast<std::int64_t>(r)}});
  }
  return records;
}

const Recorded* find_at(const Records& records, double time_s) {
  const auto found = std::ranges::find_if(
      records, [&](const Recorded& each) { return std::abs(each.time_s - time_s) <= formats::time_slack_s; });
  return found == records.end() ? nullptr : &*found;
}

}  // namespace

RestartOfSet newest_of_set(const RestartSet& set, const formats::RunStart& start) {
  RestartOfSet newest;
  std::vector<Records> of_members;
  std::set<double, std::greater<>> times_s;
  std::vector<std::string> passed_by;
  for (const Series& member : set.members) {
    FoundFiles found = files_like(member.pattern, start);
    if (found.complete.empty() && found.passed_by.empty())
      passed_by.push_back(fmt::format("of '{}' there is no file '{}'", member.collection, member.pattern));
    of_members.push_back(records_of(found));
    for (const Recorded& each : of_members.back()) times_s.insert(each.time_s);
    std::ranges::move(found.passed_by, std::back_inserter(passed_by));
  }
  for (const double time_s : times_s) {
    std::vector<RestartRecord> records;
    std::vector<std::string> without;
    for (std::size_t m = 0; m < of_members.size(); ++m) {
      const Recorded* found = find_at(of_members[m], time_s);
      if (found == nullptr)
        without.push_back(set.members[m].collection);
      else
        records.push_back(found->at);
    }
    if (without.empty()) {
      newest.time_s = time_s;
      newest.records = std::move(records);
      break;
    }
    newest.left_out.push_back(
        fmt::format("of {} there is nothing of '{}'", formats::date_text(start, time_s), fmt::join(without, "', '")));
  }
  std::ranges::move(passed_by, std::back_inserter(newest.left_out));
  return newest;
}

const RestartOfSet& RestartSets::newest(const RestartSet& set, const std::string& collection,
                                        const formats::RunStart& start, StorageCalls& storage) {
  Look& look = looks_[set.name];
  if (!look.found.time_s || look.served.contains(collection))
    look = {storage.found(fmt::format("search for the newest restart of set '{}'", set.name),
                          [set, start] { return newest_of_set(set, start); }),
            {}};
  look.served.insert(collection);
  return look.found;
}

}  // namespace thalweg::read
