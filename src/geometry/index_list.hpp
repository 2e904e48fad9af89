// Index lists: decompositions given by the global index of each local point. Pure index arithmetic: no MPI, no files.
// A list is coded as runs, ascending by global index, so that all that follows costs in proportion to a rank's own
// runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/box.hpp"
#include "base/point_runs.hpp"
#include "config/settings.hpp"

namespace thalweg::geometry {

// Points that follow each other in the local array and in the global space.
struct IndexRun {
  std::int64_t local = 0;
  std::int64_t global = 0;
  std::int64_t length = 0;
  std::int64_t stop() const { return global + length; }
  friend bool operator==(const IndexRun&, const IndexRun&) = default;
};

// Local points that are the same as others before them.
struct LocalCopy {
  std::int64_t first = 0;  // of those that have a run
  std::int64_t copy = 0;
  std::int64_t length = 0;
  friend bool operator==(const LocalCopy&, const LocalCopy&) = default;
};

// What one rank holds.
struct IndexList {
  std::int64_t count = 0;           // local points, also those that are not written
  std::vector<IndexRun> runs;       // ascending by global index, disjoint
  std::vector<LocalCopy> copies{};  // of points that are listed twice: nobody puts them, but who gets one gets all
  friend bool operator==(const IndexList&, const IndexList&) = default;
};

// A point as messages name it, with its place in several dimensions.
std::string text_of_point(const Index& sizes, std::int64_t point);

// Codes index[i], the global index of local point i, in a space of these sizes; a negative one is not written. A
// point that is listed twice is an error, or belongs to its first place, of which the others are copies. Errors: SHAPE
// for an index that is too large, AGREEMENT for one that is listed twice; the text names dimension, rank, place and
// value.
IndexList index_list(const std::string& dimension, const Index& sizes, std::span<const std::int64_t> index, int rank,
                     config::Owner owner);

// Points of the global space.
struct Stretch {
  std::int64_t start = 0;
  std::int64_t length = 0;
  std::int64_t stop() const { return start + length; }
  friend bool operator==(const Stretch&, const Stretch&) = default;
};

// Somebody holds points. Of several the lowest claimant owns them.
struct Claim {
  std::int64_t start = 0;
  std::int64_t length = 0;
  std::int64_t claimant = 0;
  std::int64_t stop() const { return start + length; }
  friend bool operator==(const Claim&, const Claim&) = default;
};

struct Conflict {
  std::int64_t point = 0;  // the first point that is claimed twice
  std::int64_t first = 0;  // the claimants
  std::int64_t second = 0;
};

struct Ownership {
  std::vector<Claim> owned;    // ascending, disjoint
  std::vector<Stretch> holes;  // ascending: points of the domain that nobody claims
  std::optional<Conflict> conflict;
  std::int64_t surplus = 0;  // claims of points that were claimed already, counted by points
};

// Who owns what of a domain that holds all claims. O(n log n).
Ownership find_owners(const Stretch& domain, std::vector<Claim> claims);

// What lists, each ascending and disjoint, have of a domain; they may reach beyond it.
using StretchLists = std::vector<std::span<const Stretch>>;
struct Gaps {
  bool overlap = false;     // two lists have a point in common
  std::int64_t points = 0;  // that no list has
  std::int64_t first = 0;   // of these
};
Gaps gaps_between(const Stretch& domain, const StretchLists& lists);
// The points that no list has, in their own places, counted from the domain's first: what is filled.
PointRuns holes_between(const Stretch& domain, const StretchLists& lists);

// The parts of the runs that lie in the stretches; both ascend.
std::vector<IndexRun> within(std::span<const IndexRun> runs, std::span<const Stretch> stretches);

// The runs between two neighbouring edges, where they lie: a list is not copied, because it may be most of what a rank
// has beside its fields.
class IndexPart {
 public:
  // All of them.
  IndexPart(std::span<const IndexRun> runs);
  IndexPart(const std::vector<IndexRun>& runs) : IndexPart(std::span(runs)) {}
  // The first and the last may reach beyond the edges.
  IndexPart(int number, std::span<const IndexRun> runs, const Stretch& between)
      : part(number), runs_(runs), between_(between) {}

  std::size_t size() const { return runs_.size(); }
  IndexRun operator[](std::size_t i) const;
  std::vector<IndexRun> runs() const;

  int part = 0;

 private:
  std::span<const IndexRun> runs_;
  Stretch between_;
};

// Cuts runs at ascending edges that span all of them; parts without points are left out.
std::vector<IndexPart> cut_runs(std::span<const IndexRun> runs, std::span<const std::int64_t> edges);

std::int64_t points_of(const IndexPart& runs);
// Neighbours that continue each other are one. take is called for each.
void take_stretches(const IndexPart& runs, const std::function<void(const Stretch&)>& take);
std::vector<Stretch> stretches_of(const IndexPart& runs);

// From the local array to an array that begins at global index `origin`.
PointRuns local_to_global(const IndexPart& runs, std::int64_t origin);
// From the local array to one that holds the points of the runs and nothing else; and from there on.
PointRuns local_to_packed(const IndexPart& runs);
PointRuns packed_to_global(std::span<const Stretch> stretches, std::int64_t origin);

// The runs that end in one chunk, and where they do so, counted from the chunk's first point.
struct ChunkPoints {
  std::int64_t chunk = 0;
  std::shared_ptr<const PointRuns> runs;
};

// Cuts an array's runs where its chunks of so many points meet; chunks that get no points are left out. Runs that all
// end in the first chunk stay the same object.
std::vector<ChunkPoints> cut_into_chunks(const std::shared_ptr<const PointRuns>& runs, std::int64_t chunk_points);

}  // namespace thalweg::geometry
