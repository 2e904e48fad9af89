// The least that a model can be made to wait for: one copy of its pieces, without halo, into warm private memory.
#pragma once

#include <vector>

#include "way.hpp"

namespace bench {

class CopyOfRecord {
 public:
  explicit CopyOfRecord(const Model& model) : model_(model) {
    for (std::size_t v = 0; v < model.workload.variables.size(); ++v) {
      const auto points = static_cast<std::size_t>(model.fields.interior_points(v));
      copies_.emplace_back(points, 0.0f);  // writing zeros maps the memory
    }
  }

  void copy() {
    for (std::size_t v = 0; v < copies_.size(); ++v) model_.fields.pack(v, copies_[v].data());
  }

 private:
  const Model& model_;
  std::vector<std::vector<float>> copies_;
};

}  // namespace bench
