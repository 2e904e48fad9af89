// The workload: an unstructured mesh whose points are dealt to ranks in runs, as a partition of a mesh leaves them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct Mesh {
  std::int64_t points = std::int64_t{1} << 22;
  std::int64_t mean = 10;  // points of a run
  int parts = 16;          // that the mesh is dealt to; a rank holds several
  int variables = 4;
  int records = 3;
};

struct Run {
  std::int64_t start, length;
};

// The runs of a rank, part by part, ascending in each: as a model numbers its points.
std::vector<Run> runs_of(const Mesh& mesh, int rank, int ranks);

// The arrays of a rank.
class Fields {
 public:
  Fields(const Mesh& mesh, const std::vector<Run>& runs);
  void fill(int record);  // by the formula of output/formula.hpp
  const float* data(int variable) const { return arrays_[static_cast<std::size_t>(variable)].data(); }
  const std::vector<std::int64_t>& index() const { return index_; }  // global, of each local point

 private:
  std::vector<std::int64_t> index_;
  std::vector<std::vector<float>> arrays_;
};

inline std::string name_of(int variable) {
  return "v" + std::to_string(variable);
}

}  // namespace bench
