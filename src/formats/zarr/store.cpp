#include "formats/zarr/store.hpp"

#include <utility>

#include "formats/checksum_attribute.hpp"
#include "formats/late_attributes.hpp"

namespace thalweg::formats::zarr {
namespace {

// Chunks are objects of their own: there is no room to make for them, and no place to tell.
class ZarrStore : public FormatFile {
 public:
  ZarrStore(ZarrFile file, const catalog::Definition& definition) : file_(std::move(file)), whole_(definition) {}
  void extend(std::int64_t /*records*/) override {}
  std::int64_t offset(int /*variable*/, std::int64_t /*record*/, std::int64_t /*chunk*/) const override { return 0; }
  block::Transaction commit(std::int64_t records) override { return transaction(file_.commit(records)); }
  void set_checksums(const block::FileSums& sums) override {
    add_checksums(whole_, sums);
    has_changed_ = true;
  }
  void give(std::span<const catalog::GivenAttribute> given) override {
    add_attributes(whole_, given);
    has_changed_ = true;
  }
  block::Transaction close(std::int64_t records) override {
    return transaction(has_changed_ ? ZarrFile(whole_).close_changed(records) : file_.close(records));
  }

 private:
  static block::Transaction transaction(block::ObjectCommit commit) {
    return {.records = commit.records, .objects = std::make_shared<const block::ObjectCommit>(std::move(commit))};
  }
  ZarrFile file_;
  catalog::Definition whole_;  // of the complete store
  bool has_changed_ = false;
};

}  // namespace

std::unique_ptr<FormatFile> create_zarr(const std::string& path, const catalog::Definition& definition,
                                        config::Durability durability) {
  ZarrFile file(definition);
  file.create(path, storage::stable_with(durability));
  return std::make_unique<ZarrStore>(std::move(file), definition);
}

}  // namespace thalweg::formats::zarr
