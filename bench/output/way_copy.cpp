// The copy alone: nothing is written.
#include <optional>

#include "copy_record.hpp"

namespace bench {
namespace {

class Copy : public Way {
 public:
  void setup(const Model& model) override { copy_.emplace(model); }
  void put_record(int) override { copy_->copy(); }
  void finish() override {}

 private:
  std::optional<CopyOfRecord> copy_;
};

}  // namespace

std::unique_ptr<Way> make_copy() {
  return std::make_unique<Copy>();
}

}  // namespace bench
