#include "geometry/division.hpp"

#include <algorithm>
#include <numeric>

namespace thalweg::geometry {

// In order of their places the portions are laid end to end; each belongs to the share that its middle falls into.
std::vector<int> divide(const std::vector<Portion>& portions, int shares) {
  std::vector<std::size_t> order(portions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return portions[a].place * portions[b].places < portions[b].place * portions[a].places;
  });
  std::int64_t total = 0;
  for (const Portion& portion : portions) total += portion.bytes;
  std::vector<int> share_of(portions.size(), 0);
  std::int64_t before = 0;
  std::int64_t last = 0;
  int share = -1;
  for (const std::size_t p : order) {
    const std::int64_t twice_middle = 2 * before + portions[p].bytes;
    const std::int64_t wanted = total == 0 ? 0 : std::max<std::int64_t>(0, twice_middle * shares - 1) / (2 * total);
    if (share < 0 || wanted > last) ++share;  // those that no middle falls into are left out
    last = wanted;
    share_of[p] = share;
    before += portions[p].bytes;
  }
  return share_of;
}

}  // namespace thalweg::geometry
