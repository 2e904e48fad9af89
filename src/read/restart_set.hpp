// Restarts of several collections that are only good together: the newest time of which all of them have a record.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "formats/record_times.hpp"
#include "read/storage_calls.hpp"

namespace thalweg::read {

// The files that a collection writes: where they lie, with the parts for dates. Empty: its program names them.
struct Series {
  std::string collection;
  std::string pattern;
};

struct RestartSet {
  std::string name;             // empty: the collection is restored by itself
  std::vector<Series> members;  // at least the collection itself, if it has a name
};

struct RestartRecord {
  std::string path;
  std::int64_t record = -1;  // of a file without records, -1
};

struct RestartOfSet {
  std::optional<double> time_s;        // nothing: there is no time of which all have a record
  std::vector<RestartRecord> records;  // of each member
  std::vector<std::string> left_out;   // later times, and what they lack; files that are not complete; a line each
};

// What complete files have; one that does not say its times is left out. Local.
RestartOfSet newest_of_set(const RestartSet& set, const formats::RunStart& start);

// A look at the files of a set serves each of its collections once: so all of them begin from one time, whatever is
// written meanwhile, and the files of all are opened once for all.
class RestartSets {
 public:
  // For that collection. Local. Errors: as of newest_of_set; DEADLINE.
  const RestartOfSet& newest(const RestartSet& set, const std::string& collection, const formats::RunStart& start,
                             StorageCalls& storage);

 private:
  struct Look {
    RestartOfSet found;
    std::set<std::string> served;
  };
  std::map<std::string, Look> looks_;  // by the names of sets
};

}  // namespace thalweg::read
