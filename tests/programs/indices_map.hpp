// Index lists that tests/support/indices.py computes again: the index space in runs of random lengths, dealt to ranks.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "conform_values.hpp"

namespace indices {

using Indices = std::vector<std::int64_t>;

struct Deal {
  std::int64_t mean = 10;  // points of a run
  bool holes = false;      // some runs belong to nobody
  bool copies = false;     // some runs are listed by two ranks, or twice by one
  int ranks_with_points = 1;
};

// What one rank lists; of a point that is a copy of another's the values are wrong, and nobody may see them.
struct Map {
  Indices index;
  std::vector<bool> is_copy;
};

inline std::uint64_t drawn(const std::string& dim, const char* what, std::int64_t run) {
  return conform::mix(conform::seed_of(dim + what) + static_cast<std::uint64_t>(run));
}

struct Run {
  std::int64_t start, length;
  bool is_copy;
  std::uint64_t order;
};

// Runs of this rank: its own, and its copies of others'.
inline std::vector<Run> runs_of(const std::string& dim, std::int64_t size, const Deal& deal, int rank) {
  std::vector<Run> runs;
  const auto ranks = static_cast<std::uint64_t>(deal.ranks_with_points);
  std::int64_t start = 0;
  for (std::int64_t run = 0; start < size; ++run) {
    const auto drawn_length = 1 + static_cast<std::int64_t>(drawn(dim, " length", run) % (2 * deal.mean - 1));
    const std::int64_t length = std::min(drawn_length, size - start);
    const bool is_hole = deal.holes && drawn(dim, " hole", run) % 7 == 0;
    const int holder = static_cast<int>(drawn(dim, " holder", run) % ranks);
    const int other = static_cast<int>(drawn(dim, " other", run) % ranks);
    const std::uint64_t order = drawn(dim, " order", run);
    if (!is_hole && holder == rank) runs.push_back({start, length, false, order});
    // A copy reaches half as far. The lowest rank owns, so only higher ones copy; one's own copy comes later.
    if (deal.copies && !is_hole && run % 3 == 0 && other >= holder && other == rank)
      runs.push_back({start, (length + 1) / 2, true, other == holder ? ~std::uint64_t{0} - order % 1000 : order / 2});
    start += length;
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.order < b.order; });
  return runs;
}

// In random order, with points between that are not written.
inline Map map_of(const std::string& dim, std::int64_t size, const Deal& deal, int rank) {
  Map map;
  for (const Run& run : runs_of(dim, size, deal, rank)) {
    for (std::int64_t i = 0; i < run.length; ++i) map.index.push_back(run.start + i);
    map.is_copy.resize(map.index.size(), run.is_copy);
    if (run.order % 4 != 0) continue;
    map.index.push_back(-1 - static_cast<std::int64_t>(run.order % 3));
    map.is_copy.push_back(true);
  }
  return map;
}

}  // namespace indices
