#include "formats/first_record.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "formats/registry.hpp"

namespace thalweg::formats {
namespace {

Before compare(const RecordTime& first, const RunStart& start, std::string* why) {
  const std::optional<double> time_s = model_time(first, start, why);
  if (!time_s) return Before::unknown;
  return *time_s < start.time_s - time_slack_s ? Before::yes : Before::no;
}

}  // namespace

FoundRecords first_record_of(const std::string& path) {
  const FormatRow* row = row_at(path);
  return row == nullptr || row->first_record == nullptr ? FoundRecords{.has_records = true} : row->first_record(path);
}

std::optional<double> first_time_of(const std::string& path, const RunStart& start) {
  try {
    const FoundRecords found = first_record_of(path);
    std::string why;
    return found.first ? model_time(*found.first, start, &why) : std::nullopt;
  } catch (const std::exception& error) {
    log::debug("the time of '{}' is not known: {}", path, error.what());
    return std::nullopt;
  }
}

Before has_records_before(const std::string& path, const RunStart& start, std::string* why) {
  std::string reason = "it has no time coordinate that is known here";
  Before before = Before::unknown;
  try {
    const FoundRecords found = first_record_of(path);
    if (!found.has_records) return Before::no;
    if (found.first)
      before = compare(*found.first, start, &reason);
    else if (!found.why.empty())
      reason = found.why;
  } catch (const std::exception& error) {
    reason = error.what();
  }
  if (before == Before::unknown) log::debug("'{}': its first record is not known: {}", path, reason);
  if (why != nullptr) *why = reason;
  return before;
}

}  // namespace thalweg::formats
