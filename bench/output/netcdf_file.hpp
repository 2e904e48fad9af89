// A netCDF file of the case's variables, written by netCDF-C: by one process, or by all of them collectively.
#pragma once

#include <vector>

#include "way.hpp"

namespace bench {

class NetcdfFile {
 public:
  // comm: MPI_COMM_NULL for a file of this process alone. Chunks of netCDF-4 are one level; nothing is filled.
  NetcdfFile(const Model& model, bool netcdf4, MPI_Comm comm);

  // Writes a box of a record of a variable; for scalars the box is ignored.
  void put(std::size_t variable, int record, const Part& box, const float* data);
  void close();

 private:
  void create(const Model& model, bool netcdf4, MPI_Comm comm);
  void define(const Model& model, bool netcdf4);
  int define_variable(const Variable& variable, bool netcdf4);

  Case workload_;
  int id_ = -1;
  int dimensions_[4] = {};  // time, z, y, x
  std::vector<int> variables_;
};

}  // namespace bench
