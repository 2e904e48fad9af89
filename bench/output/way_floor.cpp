// The floor: the model only copies, while an independent process writes as many bytes a record with O_DIRECT.
// Whatever the storage takes from the machine is in here, so a model with perfect asynchronous output is as fast.
#include <optional>

#include "copy_record.hpp"
#include "trigger.hpp"

namespace bench {
namespace {

class Floor : public Way {
 public:
  void setup(const Model& model) override {
    copy_.emplace(model);
    if (model.rank == 0) trigger_.emplace(model.options.fifo);
  }

  void put_record(int) override {
    copy_->copy();
    if (trigger_) trigger_->record_is_ready();
  }

  void finish() override {
    if (trigger_) trigger_->wait_until_written();
  }

 private:
  std::optional<CopyOfRecord> copy_;
  std::optional<Trigger> trigger_;
};

}  // namespace

std::unique_ptr<Way> make_floor() {
  return std::make_unique<Floor>();
}

}  // namespace bench
