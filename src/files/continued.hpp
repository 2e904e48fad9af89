// The file of an earlier run that a collection goes on with (`append: continue`): its records from before the start of
// the run are written again, with those of the run behind them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "block/publication.hpp"
#include "files/series.hpp"

namespace thalweg::files {

struct Continued {
  std::string name;                // the path that the new file gets
  std::string path;                // where the earlier one is
  block::FileIdentity identity{};  // of a file: what was looked at
  bool is_set = false;
  std::vector<double> times_s{};  // model times of the records that are kept
  std::int64_t dropped = 0;       // records behind the start of the run
  double last_s = 0.0;            // of all
  auto members() { return std::tie(name, path, identity, is_set, times_s, dropped, last_s); }
};

// What this run says of the file.
struct ContinuedBy {
  const Series& series;
  std::string name;      // of the file
  bool is_set = false;   // it is a set of files now
  bool is_told = false;  // the program has said when it starts
};

// What a killed run left under the partial name is of a later run than the complete file: it is recovered, and this run
// goes on with it where no less of it is kept. It becomes the complete file first, or is moved aside where that has
// records behind the start of this run, which stay until the new file is complete. Nothing: neither is there. Errors:
// STATE where the program has not said when it starts; STORAGE for what was left of a set, or is somebody's, or cannot
// be recovered; FORMAT for a file of another shape, or whose times do not grow.
std::optional<Continued> find_earlier(const ContinuedBy& by);

// The same for a file that this run does not go on with: what a killed run left of it becomes complete, where the
// complete one has nothing behind the start of this run. Errors: as find_earlier.
void complete_unfinished(const ContinuedBy& by);

// How many leading records are kept. resolution_s: of the times as the file has them. start_is_new: the run has a
// record at its start itself.
std::int64_t kept_records(const std::vector<double>& times_s, double resolution_s, double start_s, bool start_is_new);

// The first thing by which records of the one cannot be records of the other, "" if there is none: the variables,
// their types and dimensions, and those attributes that say what their values mean. own_coordinate: number of the
// variable of `declared` that Thalweg computes; -1: none.
std::string difference_in_shape(const catalog::Definition& declared, int own_coordinate,
                                const catalog::Definition& found);

}  // namespace thalweg::files
