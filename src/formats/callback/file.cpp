#include "formats/callback/file.hpp"

namespace thalweg::formats::callback {
namespace {

class NoFile : public FormatFile {
 public:
  void extend(std::int64_t) override {}
  std::int64_t offset(int, std::int64_t, std::int64_t) const override { return 0; }
  block::Transaction commit(std::int64_t records) override { return {.records = records}; }
  block::Transaction close(std::int64_t records) override { return {.records = records}; }
};

}  // namespace

std::unique_ptr<FormatFile> create_nothing() {
  return std::make_unique<NoFile>();
}

}  // namespace thalweg::formats::callback
