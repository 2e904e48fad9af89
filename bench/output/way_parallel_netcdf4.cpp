// Parallel netCDF-4: all ranks write their boxes of one file collectively.
#include <optional>
#include <vector>

#include "netcdf_file.hpp"

namespace bench {
namespace {

class ParallelNetcdf4 : public Way {
 public:
  explicit ParallelNetcdf4(NetcdfKind kind) : kind_(kind) {}

  void setup(const Model& model) override {
    model_ = &model;
    packed_.resize(model.fields.largest_interior());
    file_.emplace(model, kind_, model.comm);
  }

  void put_record(int record) override {
    for (std::size_t v = 0; v < model_->workload.variables.size(); ++v) {
      model_->fields.pack(v, packed_.data());
      file_->put(v, record, model_->part, packed_.data());
    }
  }

  void finish() override { file_->close(); }

 private:
  NetcdfKind kind_;
  const Model* model_ = nullptr;
  std::vector<float> packed_;
  std::optional<NetcdfFile> file_;
};

}  // namespace

std::unique_ptr<Way> make_parallel_netcdf4(NetcdfKind kind) {
  return std::make_unique<ParallelNetcdf4>(kind);
}

}  // namespace bench
