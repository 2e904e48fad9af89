// The classic: every field is gathered to rank 0, which writes it with serial netCDF.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "netcdf_file.hpp"

namespace bench {
namespace {

class Gather : public Way {
 public:
  explicit Gather(NetcdfKind kind) : kind_(kind) {}

  void setup(const Model& model) override {
    model_ = &model;
    packed_.resize(model.fields.largest_interior());
    if (model.rank != 0) return;
    for (const Variable& variable : model.workload.variables) {
      const auto points = static_cast<std::size_t>(model.workload.points(variable));
      global_.resize(std::max(global_.size(), points));
    }
    pieces_.resize(global_.size());
    for (int rank = 0; rank < model.ranks; ++rank) parts_.push_back(part_of(model.workload, rank, model.ranks));
    file_.emplace(model, kind_, MPI_COMM_NULL);
  }

  void put_record(int record) override {
    const Part whole{.x0 = 0, .nx = model_->workload.nx, .y0 = 0, .ny = model_->workload.ny};
    for (std::size_t v = 0; v < model_->workload.variables.size(); ++v) {
      if (model_->workload.variables[v].shape == Shape::scalar) {
        if (file_) file_->put(v, record, whole, model_->fields.data(v));
        continue;
      }
      gather(v);
      if (file_) file_->put(v, record, whole, global_.data());
    }
  }

  void finish() override {
    if (file_) file_->close();
  }

 private:
  void gather(std::size_t variable) {
    const int levels = model_->fields.levels(variable);
    std::vector<int> counts, offsets;
    int offset = 0;
    for (const Part& part : parts_) {
      counts.push_back(levels * part.ny * part.nx);
      offsets.push_back(offset);
      offset += counts.back();
    }
    model_->fields.pack(variable, packed_.data());
    MPI_Gatherv(packed_.data(), static_cast<int>(model_->fields.interior_points(variable)), MPI_FLOAT, pieces_.data(),
                counts.data(), offsets.data(), MPI_FLOAT, 0, model_->comm);
    for (std::size_t p = 0; p < parts_.size(); ++p) place(parts_[p], levels, pieces_.data() + offsets[p]);
  }

  void place(const Part& part, int levels, const float* piece) {
    const auto ny = static_cast<std::size_t>(model_->workload.ny), nx = static_cast<std::size_t>(model_->workload.nx);
    for (int level = 0; level < levels; ++level) {
      for (int y = part.y0; y < part.y0 + part.ny; ++y, piece += part.nx) {
        std::memcpy(&global_[(level * ny + y) * nx + part.x0], piece, sizeof(float) * part.nx);
      }
    }
  }

  NetcdfKind kind_;
  const Model* model_ = nullptr;
  std::vector<Part> parts_;  // rank 0 only, as all below but packed_
  std::vector<float> packed_, pieces_, global_;
  std::optional<NetcdfFile> file_;
};

}  // namespace

std::unique_ptr<Way> make_gather(NetcdfKind kind) {
  return std::make_unique<Gather>(kind);
}

}  // namespace bench
