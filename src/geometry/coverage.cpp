// Whether boxes cover a domain once, by cutting it in two until each part is wholly covered by one box or by none.
//
// A cut is made at a face of a box, at the median of the faces that lie inside of the part along one dimension; of the
// dimensions the one is taken whose cut splits the fewest boxes. So the faces along a dimension halve with each cut
// along it, and n boxes in D dimensions are cut at most D log2(2n) times deep. In a regular decomposition no box is
// ever split: O(n log n) in all. In an irregular one a box takes part in as many parts as cuts split it into; the parts
// are never more than the cells of the grid that all faces together make, and for disjoint boxes far fewer.
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "geometry/plan.hpp"

namespace thalweg::geometry {
namespace {

struct Cut {
  int dimension = 0;
  std::int64_t at = 0;
  std::size_t boxes_split = 0;
  std::size_t faces = 0;
  bool better_than(const Cut& other) const {
    return boxes_split != other.boxes_split ? boxes_split < other.boxes_split : faces > other.faces;
  }
};

bool contains(const Box& outer, const Box& inner) {
  for (int d = 0; d < inner.rank(); ++d)
    if (outer.start[d] > inner.start[d] || outer.stop(d) < inner.stop(d)) return false;
  return true;
}

class Search {
 public:
  Search(std::span<const Contribution> contributions, Coverage& result)
      : contributions_(contributions), result_(result) {}

  // members: numbers of the contributions that share a cell with part, ascending.
  void examine(const Box& part, const std::vector<std::size_t>& members) {
    if (result_.overlaps.size() == max_overlaps) return;
    if (members.empty()) {
      result_.holes.push_back(part);
    } else if (covered(part, members)) {
      result_.covered_cells += part.cells();
      report_overlaps(members);
    } else {
      examine_halves(part, members);
    }
  }

  std::vector<std::size_t> sharing(const Box& part, const std::vector<std::size_t>& members) const {
    std::vector<std::size_t> found;
    std::copy_if(members.begin(), members.end(), std::back_inserter(found),
                 [&](std::size_t i) { return intersect(region(i), part).has_value(); });
    return found;
  }

 private:
  const Box& region(std::size_t i) const { return contributions_[i].region; }

  bool covered(const Box& part, const std::vector<std::size_t>& members) const {
    return std::any_of(members.begin(), members.end(), [&](std::size_t i) { return contains(region(i), part); });
  }

  void examine_halves(const Box& part, const std::vector<std::size_t>& members) {
    const Cut cut = best_cut(part, members);
    Box low = part;
    Box high = part;
    low.count[cut.dimension] = cut.at - part.start[cut.dimension];
    high.start[cut.dimension] = cut.at;
    high.count[cut.dimension] -= low.count[cut.dimension];
    examine(low, sharing(low, members));
    examine(high, sharing(high, members));
  }

  // There is one: a member that shares a cell with part and does not contain it has a face inside of it.
  Cut best_cut(const Box& part, const std::vector<std::size_t>& members) {
    std::optional<Cut> best;
    for (int d = 0; d < part.rank(); ++d) {
      const auto cut = median_cut(part, members, d);
      if (cut && (!best || cut->better_than(*best))) best = cut;
    }
    return *best;
  }

  std::optional<Cut> median_cut(const Box& part, const std::vector<std::size_t>& members, int d) {
    faces_.clear();
    for (std::size_t i : members)
      for (std::int64_t face : {region(i).start[d], region(i).stop(d)})
        if (part.start[d] < face && face < part.stop(d)) faces_.push_back(face);
    if (faces_.empty()) return std::nullopt;
    const auto median = faces_.begin() + static_cast<std::ptrdiff_t>(faces_.size() / 2);
    std::nth_element(faces_.begin(), median, faces_.end());
    const auto split = std::count_if(members.begin(), members.end(), [&](std::size_t i) {
      return region(i).start[d] < *median && *median < region(i).stop(d);
    });
    return Cut{d, *median, static_cast<std::size_t>(split), faces_.size()};
  }

  // One member overlaps all others here, so this finds new pairs or ends soon.
  void report_overlaps(const std::vector<std::size_t>& members) {
    for (auto first = members.begin(); first != members.end(); ++first)
      for (auto second = first + 1; second != members.end(); ++second)
        if (!report_overlap(*first, *second)) return;
  }

  // Whether there is room for more. Two boxes may meet in several parts, but are reported once.
  bool report_overlap(std::size_t first, std::size_t second) {
    const auto common = intersect(region(first), region(second));
    const std::pair pair{first, second};
    if (common && std::find(reported_.begin(), reported_.end(), pair) == reported_.end()) {
      reported_.push_back(pair);
      result_.overlaps.push_back({contributions_[first], contributions_[second], *common});
    }
    return result_.overlaps.size() < max_overlaps;
  }

  std::span<const Contribution> contributions_;
  Coverage& result_;
  std::vector<std::pair<std::size_t, std::size_t>> reported_;
  std::vector<std::int64_t> faces_;  // kept to spare allocations
};

bool starts_before(const Box& a, const Box& b) {
  return std::lexicographical_compare(a.start.begin(), a.start.end(), b.start.begin(), b.start.end());
}

// Orders boxes so that those of equal cross-section are neighbours, ascending along dimension d.
bool before_along(const Box& a, const Box& b, int d) {
  for (int e = 0; e < a.rank(); ++e) {
    if (e == d) continue;
    if (a.start[e] != b.start[e]) return a.start[e] < b.start[e];
    if (a.count[e] != b.count[e]) return a.count[e] < b.count[e];
  }
  return a.start[d] < b.start[d];
}

bool continues(const Box& box, const Box& next, int d) {
  Box moved = box;
  moved.start[d] = next.start[d];
  moved.count[d] = next.count[d];
  return moved == next && box.stop(d) == next.start[d];
}

void merge_along(std::vector<Box>& boxes, int d) {
  std::sort(boxes.begin(), boxes.end(), [d](const Box& a, const Box& b) { return before_along(a, b, d); });
  std::vector<Box> merged;
  for (const Box& box : boxes) {
    if (!merged.empty() && continues(merged.back(), box, d))
      merged.back().count[d] += box.count[d];
    else
      merged.push_back(box);
  }
  boxes = std::move(merged);
}

}  // namespace

Coverage cover(const Box& domain, std::span<const Contribution> contributions) {
  Coverage coverage;
  if (domain.empty()) return coverage;
  Search search(contributions, coverage);
  std::vector<std::size_t> all(contributions.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  search.examine(domain, search.sharing(domain, all));
  for (int d = domain.rank() - 1; d >= 0; --d) merge_along(coverage.holes, d);
  std::sort(coverage.holes.begin(), coverage.holes.end(), starts_before);
  return coverage;
}

}  // namespace thalweg::geometry
