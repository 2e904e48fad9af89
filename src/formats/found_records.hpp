// What a file says of its first record.
#pragma once

#include <optional>
#include <string>

namespace thalweg::formats {

// When a record was, as a time coordinate says it.
struct RecordTime {
  double value = 0.0;
  std::string units;
  std::string calendar;
  double spacing = 0.0;  // of the numbers of its type, there
};

struct FoundRecords {
  bool has_records = false;
  std::optional<RecordTime> first{};  // nothing: it cannot be read
  std::string why{};                  // it cannot
  bool shows_others = false;          // the file has no values of its own
};

}  // namespace thalweg::formats
