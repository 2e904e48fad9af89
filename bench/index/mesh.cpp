#include "mesh.hpp"

#include <algorithm>
#include <random>

#include "formula.hpp"

namespace bench {

std::vector<Run> runs_of(const Mesh& mesh, int rank, int ranks) {
  std::vector<std::vector<Run>> of_part(static_cast<std::size_t>(mesh.parts));
  std::mt19937_64 random(1);  // the same on all ranks
  for (std::int64_t start = 0; start < mesh.points;) {
    const auto drawn = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * mesh.mean - 1));
    const std::int64_t length = std::min(drawn, mesh.points - start);
    of_part[random() % of_part.size()].push_back({start, length});
    start += length;
  }
  std::vector<Run> runs;
  for (int part = mesh.parts * rank / ranks; part < mesh.parts * (rank + 1) / ranks; ++part) {
    const std::vector<Run>& own = of_part[static_cast<std::size_t>(part)];
    runs.insert(runs.end(), own.begin(), own.end());
  }
  return runs;
}

Fields::Fields(const Mesh& mesh, const std::vector<Run>& runs) : arrays_(static_cast<std::size_t>(mesh.variables)) {
  for (const Run& run : runs)
    for (std::int64_t i = 0; i < run.length; ++i) index_.push_back(run.start + i);
  for (std::vector<float>& array : arrays_) array.resize(index_.size());
}

void Fields::fill(int record) {
  for (std::size_t v = 0; v < arrays_.size(); ++v) {
    const std::uint32_t base = formula_base(static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(record));
    for (std::size_t i = 0; i < index_.size(); ++i)
      arrays_[v][i] = formula(base, static_cast<std::uint32_t>(index_[i]));
  }
}

}  // namespace bench
