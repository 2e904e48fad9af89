#include "formats/one_record_file.hpp"

#include <utility>

namespace thalweg::formats {
namespace {

class OneRecordFile final : public FormatFile {
 public:
  explicit OneRecordFile(std::unique_ptr<FormatFile> file) : file_(std::move(file)) {}

  void extend(std::int64_t /*records*/) override {}
  std::int64_t offset(int variable, std::int64_t /*record*/, std::int64_t chunk) const override {
    return file_->offset(variable, 0, chunk);
  }
  void store(std::int64_t /*record*/, std::span<const EncodedChunk> chunks) override {
    file_->store(block::fixed_record, chunks);
  }
  bool checksum_comes_first() const override { return file_->checksum_comes_first(); }
  block::Transaction commit(std::int64_t /*records*/) override { return file_->commit(0); }
  void set_checksums(const block::FileSums& sums) override { file_->set_checksums(sums); }
  block::Transaction close(std::int64_t /*records*/) override { return file_->close(0); }

 private:
  std::unique_ptr<FormatFile> file_;
};

}  // namespace

std::unique_ptr<FormatFile> one_record_file(std::unique_ptr<FormatFile> file) {
  return std::make_unique<OneRecordFile>(std::move(file));
}

}  // namespace thalweg::formats
