// One way of writing the mesh. A launch runs one of them.
#pragma once

#include <memory>
#include <string>

#include "mesh.hpp"

namespace bench {

class Way {
 public:
  virtual ~Way() = default;
  virtual void put_record(int record) = 0;  // timed as the stall
  virtual void finish() = 0;                // everything written and closed; collective
};

// Collective: definitions, plans, file creation, memory.
// of_grid: the same points as those of a grid, whose files have two dimensions.
std::unique_ptr<Way> make_thalweg(const std::string& writers, bool of_grid, const Mesh& mesh, const Fields& fields,
                                  const std::string& file);
std::unique_ptr<Way> make_pnetcdf(const Mesh& mesh, const Fields& fields, const std::vector<Run>& runs,
                                  const std::string& file);

}  // namespace bench
