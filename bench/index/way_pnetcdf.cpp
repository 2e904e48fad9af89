// PnetCDF, CDF-5: one ncmpi_iput_varn of all runs for each variable, and one ncmpi_wait_all for each record. Its MPI-IO
// is chosen by the launch (--mca io).
#include <pnetcdf.h>

#include "check.hpp"
#include "way.hpp"

namespace bench {
namespace {

class Pnetcdf : public Way {
 public:
  Pnetcdf(const Mesh& mesh, const Fields& fields, const std::vector<Run>& runs, const std::string& file)
      : mesh_(mesh), fields_(fields) {
    for (const Run& run : runs) {
      places_.insert(places_.end(), {0, run.start});
      extents_.insert(extents_.end(), {1, run.length});
    }
    for (std::size_t r = 0; r < runs.size(); ++r) {
      starts_.push_back(places_.data() + 2 * r);
      counts_.push_back(extents_.data() + 2 * r);
    }
    int dimensions[2];
    check_pnetcdf(ncmpi_create(MPI_COMM_WORLD, file.c_str(), NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &id_),
                  "ncmpi_create");
    check_pnetcdf(ncmpi_def_dim(id_, "time", NC_UNLIMITED, &dimensions[0]), "ncmpi_def_dim");
    check_pnetcdf(ncmpi_def_dim(id_, "cell", mesh.points, &dimensions[1]), "ncmpi_def_dim");
    for (int v = 0; v < mesh.variables; ++v)
      check_pnetcdf(ncmpi_def_var(id_, name_of(v).c_str(), NC_FLOAT, 2, dimensions, &variables_.emplace_back()),
                    "ncmpi_def_var");
    check_pnetcdf(ncmpi_enddef(id_), "ncmpi_enddef");
  }

  void put_record(int record) override {
    for (std::size_t r = 0; r < starts_.size(); ++r) places_[2 * r] = record;
    const auto points = static_cast<MPI_Offset>(fields_.index().size());
    for (int v = 0; v < mesh_.variables; ++v)
      check_pnetcdf(ncmpi_iput_varn(id_, variables_[static_cast<std::size_t>(v)], static_cast<int>(starts_.size()),
                                    starts_.data(), counts_.data(), fields_.data(v), points, MPI_FLOAT, nullptr),
                    "ncmpi_iput_varn");
    check_pnetcdf(ncmpi_wait_all(id_, NC_REQ_ALL, nullptr, nullptr), "ncmpi_wait_all");
  }

  void finish() override { check_pnetcdf(ncmpi_close(id_), "ncmpi_close"); }

 private:
  Mesh mesh_;
  const Fields& fields_;
  int id_ = -1;
  std::vector<int> variables_;
  std::vector<MPI_Offset> places_, extents_;  // (record, cell) of each run
  std::vector<MPI_Offset*> starts_, counts_;
};

}  // namespace

std::unique_ptr<Way> make_pnetcdf(const Mesh& mesh, const Fields& fields, const std::vector<Run>& runs,
                                  const std::string& file) {
  return std::make_unique<Pnetcdf>(mesh, fields, runs, file);
}

}  // namespace bench
