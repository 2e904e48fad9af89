#include "storage/publishing.hpp"

#include <atomic>
#include <utility>

#include "base/log.hpp"
#include "storage/file_identity.hpp"
#include "storage/partial_name.hpp"

namespace thalweg::storage {
namespace {

class Unpublished final : public block::Publication {
 public:
  bool spares_complete(std::int64_t /*records*/) const override { return false; }
  bool publish(const block::FileIdentity& /*written*/, bool /*durable*/,
               const std::optional<block::Checksums>& /*checksums*/) const override {
    return false;
  }
  void discard() const override {}
  void give_up() const override {}
};

// The file is whoever's has made it: no lock, no other name, and nothing of it is removed.
class InPlace final : public block::Publication {
 public:
  explicit InPlace(std::string path) : path_(std::move(path)) {}
  InPlace(const InPlace&) = delete;
  InPlace& operator=(const InPlace&) = delete;
  ~InPlace() override {
    if (has_ended_) return;
    log::warning(
        "'{}' was written in place and is not complete: what was committed is in it, beside what it held before and "
        "parts of later records; write it again from the beginning, or have its maker count the committed records only",
        path_);
  }

  bool spares_complete(std::int64_t /*records*/) const override { return false; }
  bool publish(const block::FileIdentity& written, bool /*durable*/,
               const std::optional<block::Checksums>& /*checksums*/) const override {
    require_same(written, path_);
    has_ended_ = true;
    return false;
  }
  void discard() const override { has_ended_ = true; }
  void give_up() const override { has_ended_ = true; }

 private:
  std::string path_;
  mutable std::atomic<bool> has_ended_ = false;
};

}  // namespace

std::string growing_path(config::Publishing publishing, const std::string& path) {
  return publishing == config::Publishing::partial_and_rename ? path + partial_ending : path;
}

std::shared_ptr<const block::Publication> claim(config::Publishing publishing, const NameRules& rules,
                                                const std::string& path, bool set_is_there) {
  if (publishing == config::Publishing::none) return std::make_shared<const Unpublished>();
  if (publishing == config::Publishing::in_place) return std::make_shared<const InPlace>(path);
  auto name = std::make_shared<OutputName>(rules, path);
  if (set_is_there) name->set_is_there();
  return name;
}

}  // namespace thalweg::storage
