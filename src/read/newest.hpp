// The newest complete file among those that a collection's configuration names.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "formats/record_times.hpp"

namespace thalweg::read {

// The paths that a name with parts for a date or a number ("%Y%m%d", "%n") stands for: those under which there is a
// file, a folder, or the parts of a set, complete or not, without the ending ".partial". In the order of their names.
std::vector<std::string> paths_like(const std::string& pattern);

struct CompleteFile {
  std::string path;
  // Of its records, or the one that a file without records says; empty: they are not known.
  std::vector<double> times_s;
  std::string no_times;  // why they are not
};

struct FoundFiles {
  std::vector<CompleteFile> complete;
  std::vector<std::string> passed_by;  // why others are none, a line each
};

// Of the paths of a pattern. Local.
FoundFiles files_like(const std::string& pattern, const formats::RunStart& start);

struct Newest {
  std::string path;                    // empty: none is complete
  std::vector<std::string> passed_by;  // why others were not taken, a line each
};

// The one whose last record has the latest time; where there is only one that is complete, it needs no time. Local.
// Errors: FORMAT where times do not tell which of several it is.
Newest newest_of(const std::string& pattern, const formats::RunStart& start);

}  // namespace thalweg::read
