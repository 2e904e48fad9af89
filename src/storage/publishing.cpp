#include "storage/publishing.hpp"

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

}  // namespace

std::string growing_path(config::Publishing publishing, const std::string& path) {
  return publishing == config::Publishing::none ? path : path + partial_ending;
}

std::shared_ptr<const block::Publication> claim(config::Publishing publishing, const NameRules& rules,
                                                const std::string& path, bool set_is_there) {
  if (publishing == config::Publishing::none) return std::make_shared<const Unpublished>();
  auto name = std::make_shared<OutputName>(rules, path);
  if (set_is_there) name->set_is_there();
  return name;
}

}  // namespace thalweg::storage
