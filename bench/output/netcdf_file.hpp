// A netCDF file of the case's variables, written by netCDF-C: by one process, or by all of them collectively.
#pragma once

#include <vector>

#include "way.hpp"

namespace bench {

class NetcdfFile {
 public:
  // comm: MPI_COMM_NULL for a file of this process alone. Chunks of netCDF-4 are one level, compressed ones with
  // shuffle and at Thalweg's default level; nothing is filled.
  NetcdfFile(const Model& model, NetcdfKind kind, MPI_Comm comm);

  // Writes a box of a record of a variable; for scalars the box is ignored.
  void put(std::size_t variable, int record, const Part& box, const float* data);
  void close();

 private:
  void create(const Model& model, MPI_Comm comm);
  void define(const Model& model);
  int define_variable(const Variable& variable);
  void define_chunks(int variable, Shape shape);

  NetcdfKind kind_;
  Case workload_;
  int id_ = -1;
  int dimensions_[4] = {};  // time, z, y, x
  std::vector<int> variables_;
};

}  // namespace bench
