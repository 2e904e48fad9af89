#include "geometry/layout.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace thalweg::geometry {
namespace {

using Edges = std::vector<std::int64_t>;

// A dimension without cells has one domain without cells; all other domains have cells.
bool well_formed(const Edges& edges) {
  if (edges == Edges{0, 0}) return true;
  return edges.size() >= 2 && edges.front() == 0 &&
         std::adjacent_find(edges.begin(), edges.end(), std::greater_equal<>()) == edges.end();
}

void check_domains(const Index& shape, const Index& domains) {
  if (domains.rank() != shape.rank())
    fail(THALWEG_ERROR_SHAPE, "layout {} has {} dimensions, but the index space {} has {}: give one number a dimension",
         to_string(domains), domains.rank(), to_string(shape), shape.rank());
  for (int d = 0; d < shape.rank(); ++d)
    if (domains[d] < 1 || shape[d] < 0)
      fail(THALWEG_ERROR_SHAPE,
           "layout {} of index space {}: dimension {} has {} domains of {} cells, but needs at least "
           "1 domain of at least 0 cells",
           to_string(domains), to_string(shape), d, domains[d], shape[d]);
}

Edges even_edges(std::int64_t cells, std::int64_t domains) {
  Edges edges{0};
  for (std::int64_t i = 0; i < domains; ++i) edges.push_back(edges.back() + cells / domains + (i < cells % domains));
  return edges;
}

Edges chunk_edges(std::int64_t cells, std::int64_t domains, std::int64_t chunk) {
  const std::int64_t cells_each = std::max<std::int64_t>(1, (cells + domains - 1) / domains);
  const std::int64_t step = (cells_each + chunk - 1) / chunk * chunk;
  Edges edges{0};
  do {
    edges.push_back(std::min(cells, edges.back() + step));
  } while (edges.back() < cells);
  return edges;
}

}  // namespace

Layout::Layout(std::vector<std::vector<std::int64_t>> edges) : edges_(std::move(edges)) {
  if (edges_.size() > max_rank)
    fail(THALWEG_ERROR_SHAPE, "a layout of {} dimensions: at most {} are possible", edges_.size(), max_rank);
  std::int64_t count = 1;
  for (std::size_t d = 0; d < edges_.size(); ++d) {
    if (!well_formed(edges_[d]))
      fail(THALWEG_ERROR_SHAPE,
           "layout edges ({}) of dimension {} must ascend from 0 to the extent, each one greater than "
           "the one before",
           fmt::join(edges_[d], ", "), d);
    const auto along = static_cast<std::int64_t>(edges_[d].size()) - 1;
    if (along > std::numeric_limits<int>::max() / count)
      fail(THALWEG_ERROR_SHAPE, "layout {} has more than {} domains: cut into fewer", to_string(domains()),
           std::numeric_limits<int>::max());
    count *= along;
  }
}

Layout Layout::even(const Index& shape, const Index& domains) {
  check_domains(shape, domains);
  std::vector<Edges> edges;
  for (int d = 0; d < shape.rank(); ++d) {
    const std::int64_t most = std::max<std::int64_t>(1, shape[d]);
    if (domains[d] > most)
      fail(THALWEG_ERROR_SHAPE,
           "layout {} asks for {} domains along dimension {} of index space {}: at most {} is possible, "
           "one a cell",
           to_string(domains), domains[d], d, to_string(shape), most);
    edges.push_back(even_edges(shape[d], domains[d]));
  }
  return Layout(std::move(edges));
}

Layout Layout::chunked(const Index& shape, const Index& domains, const Index& chunk) {
  check_domains(shape, domains);
  std::vector<Edges> edges;
  for (int d = 0; d < shape.rank(); ++d) edges.push_back(chunk_edges(shape[d], domains[d], chunk[d]));
  return Layout(std::move(edges));
}

int Layout::domain_count() const {
  return static_cast<int>(domains().product());
}

Index Layout::domains() const {
  Index count;
  for (const Edges& edges : edges_) count.push_back(static_cast<std::int64_t>(edges.size()) - 1);
  return count;
}

Index Layout::shape() const {
  Index shape;
  for (const Edges& edges : edges_) shape.push_back(edges.back());
  return shape;
}

Box Layout::domain(int number) const {
  Box box{Index::filled(rank(), 0), Index::filled(rank(), 0)};
  auto rest = static_cast<std::size_t>(number);
  for (int d = rank() - 1; d >= 0; --d) {
    const Edges& edges = edges_[static_cast<std::size_t>(d)];
    const std::size_t i = rest % (edges.size() - 1);
    rest /= edges.size() - 1;
    box.start[d] = edges[i];
    box.count[d] = edges[i + 1] - edges[i];
  }
  return box;
}

std::vector<int> Layout::touching(const Box& box) const {
  const auto inside = intersect(box, whole(shape()));
  if (!inside) return {};
  std::vector<int> numbers{0};
  for (int d = 0; d < rank(); ++d) {
    const Edges& edges = edges_[static_cast<std::size_t>(d)];
    const auto first = std::upper_bound(edges.begin(), edges.end(), inside->start[d]) - edges.begin() - 1;
    const auto last = std::lower_bound(edges.begin(), edges.end(), inside->stop(d)) - edges.begin();
    std::vector<int> refined;
    for (int number : numbers)
      for (auto i = first; i < last; ++i)
        refined.push_back(number * static_cast<int>(edges.size() - 1) + static_cast<int>(i));
    numbers = std::move(refined);
  }
  return numbers;
}

}  // namespace thalweg::geometry
