#include "netcdf_file.hpp"

#include <netcdf.h>
#include <netcdf_filter.h>
#include <netcdf_par.h>

#include "check.hpp"
#include "formats/netcdf4/hdf5_filters.hpp"
#include "levels.hpp"
#include "transform/filter.hpp"

namespace bench {

NetcdfFile::NetcdfFile(const Model& model, NetcdfKind kind, MPI_Comm comm) : kind_(kind), workload_(model.workload) {
  create(model, comm);
  define(model);
  if (comm == MPI_COMM_NULL) return;
  for (const int variable : variables_) {
    check_netcdf(nc_var_par_access(id_, variable, NC_COLLECTIVE), "nc_var_par_access");
  }
}

void NetcdfFile::create(const Model& model, MPI_Comm comm) {
  const int mode = NC_CLOBBER | (kind_ == NetcdfKind::cdf5 ? NC_64BIT_DATA : NC_NETCDF4);
  if (kind_ == NetcdfKind::netcdf4_zstd) thalweg::formats::netcdf4::make_filters_known();
  if (comm == MPI_COMM_NULL) {
    check_netcdf(nc_create(model.options.file.c_str(), mode, &id_), "nc_create");
  } else {
    check_netcdf(nc_create_par(model.options.file.c_str(), mode, comm, MPI_INFO_NULL, &id_), "nc_create_par");
  }
}

void NetcdfFile::define(const Model& model) {
  const char* names[4] = {"time", "z", "y", "x"};
  const int sizes[4] = {0, workload_.nz, workload_.ny, workload_.nx};
  for (int d = 0; d < 4; ++d) {
    const std::size_t size = d == 0 ? NC_UNLIMITED : static_cast<std::size_t>(sizes[d]);
    check_netcdf(nc_def_dim(id_, names[d], size, &dimensions_[d]), "nc_def_dim");
  }
  int old_mode = 0;
  check_netcdf(nc_set_fill(id_, NC_NOFILL, &old_mode), "nc_set_fill");
  for (const Variable& variable : model.workload.variables) variables_.push_back(define_variable(variable));
  check_netcdf(nc_enddef(id_), "nc_enddef");
}

int NetcdfFile::define_variable(const Variable& variable) {
  int rank = 1;
  int dimensions[4] = {dimensions_[0]};
  if (variable.shape == Shape::volume) dimensions[rank++] = dimensions_[1];
  if (variable.shape != Shape::scalar) {
    dimensions[rank++] = dimensions_[2];
    dimensions[rank++] = dimensions_[3];
  }
  int id = -1;
  check_netcdf(nc_def_var(id_, variable.name.c_str(), NC_FLOAT, rank, dimensions, &id), "nc_def_var");
  if (kind_ != NetcdfKind::cdf5 && variable.shape != Shape::scalar) define_chunks(id, variable.shape);
  return id;
}

void NetcdfFile::define_chunks(int variable, Shape shape) {
  const int rank = shape == Shape::volume ? 4 : 3;
  std::size_t chunk[4] = {1, 1, 1, 1};
  chunk[rank - 2] = static_cast<std::size_t>(workload_.ny);
  chunk[rank - 1] = static_cast<std::size_t>(workload_.nx);
  check_netcdf(nc_def_var_chunking(id_, variable, NC_CHUNKED, chunk), "nc_def_var_chunking");
  if (kind_ == NetcdfKind::netcdf4_deflate)
    check_netcdf(nc_def_var_deflate(id_, variable, 1, 1, deflate_level), "nc_def_var_deflate");
  if (kind_ != NetcdfKind::netcdf4_zstd) return;
  check_netcdf(nc_def_var_deflate(id_, variable, 1, 0, 0), "nc_def_var_deflate, for shuffle alone");
  check_netcdf(nc_def_var_filter(id_, variable, thalweg::config::codec_named("zstd")->hdf5_filter, 1, &zstd_level),
               "nc_def_var_filter");
}

void NetcdfFile::put(std::size_t variable, int record, const Part& box, const float* data) {
  const Shape shape = workload_.variables[variable].shape;
  std::vector<std::size_t> start{static_cast<std::size_t>(record)}, count{1};
  const auto add = [&](int first, int extent) {
    start.push_back(static_cast<std::size_t>(first));
    count.push_back(static_cast<std::size_t>(extent));
  };
  if (shape == Shape::volume) add(0, workload_.nz);
  if (shape != Shape::scalar) {
    add(box.y0, box.ny);
    add(box.x0, box.nx);
  }
  check_netcdf(nc_put_vara_float(id_, variables_[variable], start.data(), count.data(), data), "nc_put_vara_float");
}

void NetcdfFile::close() {
  check_netcdf(nc_close(id_), "nc_close");
}

}  // namespace bench
