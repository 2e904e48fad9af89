// The best that plain system calls do: each rank packs a variable and writes it with one pwrite into its own slab of
// one shared file. No order in the file that anybody else could read.
#include <algorithm>
#include <optional>
#include <vector>

#include "direct_file.hpp"
#include "way.hpp"

namespace bench {
namespace {

class Raw : public Way {
 public:
  explicit Raw(bool direct) : direct_(direct) {}

  void setup(const Model& model) override {
    model_ = &model;
    place_slabs();
    buffer_.emplace(largest_slab_);
    if (model.rank == 0) file_.emplace(model.options.file, direct_);
    MPI_Barrier(model.comm);
    if (model.rank != 0) file_.emplace(model.options.file, direct_);
  }

  void put_record(int record) override {
    for (std::size_t v = 0; v < slabs_.size(); ++v) {
      const Slab& slab = slabs_[v];
      if (slab.bytes == 0) continue;
      model_->fields.pack(v, reinterpret_cast<float*>(buffer_->data()));
      file_->write(buffer_->data(), slab.bytes, record * record_bytes_ + slab.offset);
    }
  }

  void finish() override { file_.reset(); }

 private:
  struct Slab {
    std::int64_t offset, bytes;
  };

  // Slabs are as long as the longest of all ranks, for O_DIRECT rounded up to whole pages. Scalars are rank 0's.
  void place_slabs() {
    for (std::size_t v = 0; v < model_->workload.variables.size(); ++v) {
      const bool scalar = model_->workload.variables[v].shape == Shape::scalar;
      std::int64_t bytes = model_->fields.interior_points(v) * static_cast<std::int64_t>(sizeof(float));
      if (direct_) bytes = align_up(bytes);
      std::int64_t longest = bytes;
      MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_INT64_T, MPI_MAX, model_->comm);
      const bool mine = !scalar || model_->rank == 0;
      slabs_.push_back({record_bytes_ + (scalar ? 0 : model_->rank * longest), mine ? bytes : 0});
      record_bytes_ += longest * (scalar ? 1 : model_->ranks);
      largest_slab_ = std::max(largest_slab_, longest);
    }
  }

  bool direct_;
  const Model* model_ = nullptr;
  std::vector<Slab> slabs_;
  std::int64_t record_bytes_ = 0, largest_slab_ = 0;
  std::optional<AlignedBuffer> buffer_;
  std::optional<DirectFile> file_;
};

}  // namespace

std::unique_ptr<Way> make_raw(bool direct) {
  return std::make_unique<Raw>(direct);
}

}  // namespace bench
