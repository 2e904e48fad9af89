// PnetCDF, CDF-5: one collective call for each variable, or all of a record posted and then written together. MPI
// types describe the interior of the arrays, so that there is no copy on the user's side.
#include <pnetcdf.h>

#include <vector>

#include "check.hpp"
#include "way.hpp"

namespace bench {
namespace {

class Pnetcdf : public Way {
 public:
  explicit Pnetcdf(bool nonblocking) : nonblocking_(nonblocking) {}

  void setup(const Model& model) override {
    model_ = &model;
    const int mode = NC_CLOBBER | NC_64BIT_DATA;
    check_pnetcdf(ncmpi_create(model.comm, model.options.file.c_str(), mode, MPI_INFO_NULL, &id_), "ncmpi_create");
    const char* names[4] = {"time", "z", "y", "x"};
    const MPI_Offset sizes[4] = {NC_UNLIMITED, model.workload.nz, model.workload.ny, model.workload.nx};
    for (int d = 0; d < 4; ++d) check_pnetcdf(ncmpi_def_dim(id_, names[d], sizes[d], &dimensions_[d]), "ncmpi_def_dim");
    for (std::size_t v = 0; v < model.workload.variables.size(); ++v) define(v);
    check_pnetcdf(ncmpi_enddef(id_), "ncmpi_enddef");
  }

  void put_record(int record) override {
    if (nonblocking_) {
      post_record(record);
      return;
    }
    for (Target& target : targets_) {
      target.start[0] = record;
      check_pnetcdf(
          ncmpi_put_vara_all(id_, target.id, target.start.data(), target.count.data(), target.data, 1, target.interior),
          "ncmpi_put_vara_all");
    }
  }

  void finish() override {
    check_pnetcdf(ncmpi_close(id_), "ncmpi_close");
    for (Target& target : targets_) MPI_Type_free(&target.interior);
  }

 private:
  struct Target {
    int id;
    std::vector<MPI_Offset> start, count;
    const float* data;
    MPI_Datatype interior;
  };

  void post_record(int record) {
    for (Target& target : targets_) {
      target.start[0] = record;
      check_pnetcdf(ncmpi_iput_vara(id_, target.id, target.start.data(), target.count.data(), target.data, 1,
                                    target.interior, nullptr),
                    "ncmpi_iput_vara");
    }
    check_pnetcdf(ncmpi_wait_all(id_, NC_REQ_ALL, nullptr, nullptr), "ncmpi_wait_all");
  }

  void define(std::size_t v) {
    const Variable& variable = model_->workload.variables[v];
    const Part& part = model_->part;
    std::vector<int> dimensions{dimensions_[0]};
    Target target{.id = -1, .start = {0}, .count = {1}, .data = model_->fields.data(v), .interior = interior(v)};
    const auto add = [&](int dimension, MPI_Offset start, MPI_Offset count) {
      dimensions.push_back(dimensions_[dimension]);
      target.start.push_back(start);
      target.count.push_back(count);
    };
    if (variable.shape == Shape::volume) add(1, 0, model_->workload.nz);
    if (variable.shape != Shape::scalar) {
      add(2, part.y0, part.ny);
      add(3, part.x0, part.nx);
    }
    check_pnetcdf(ncmpi_def_var(id_, variable.name.c_str(), NC_FLOAT, static_cast<int>(dimensions.size()),
                                dimensions.data(), &target.id),
                  "ncmpi_def_var");
    targets_.push_back(std::move(target));
  }

  MPI_Datatype interior(std::size_t v) const {
    const auto extents = model_->fields.extents(v), counts = model_->fields.interior(v);
    const int starts[3] = {0, (extents[1] - counts[1]) / 2, (extents[2] - counts[2]) / 2};
    MPI_Datatype type;
    MPI_Type_create_subarray(3, extents.data(), counts.data(), starts, MPI_ORDER_C, MPI_FLOAT, &type);
    MPI_Type_commit(&type);
    return type;
  }

  bool nonblocking_;
  const Model* model_ = nullptr;
  int id_ = -1;
  int dimensions_[4] = {};
  std::vector<Target> targets_;
};

}  // namespace

std::unique_ptr<Way> make_pnetcdf(bool nonblocking) {
  return std::make_unique<Pnetcdf>(nonblocking);
}

}  // namespace bench
