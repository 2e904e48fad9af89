#include "formats/placed/file.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace thalweg::formats::placed {
namespace {

class PlacedFile final : public FormatFile {
 public:
  explicit PlacedFile(const catalog::Definition& definition) : begins_(definition.places->begins) {
    for (const catalog::Variable& variable : definition.variables)
      record_bytes_.push_back(variable.has_record ? definition.places->record_bytes : 0);
  }

  // What is written behind its end lengthens the file; how long it is to be in the end, its maker knows.
  void extend(std::int64_t /*records*/) override {}

  std::int64_t offset(int variable, std::int64_t record, std::int64_t /*chunk*/) const override {
    const auto v = static_cast<std::size_t>(variable);
    return begins_[v] + record * record_bytes_[v];
  }

  // Whether readers see the records is its maker's affair.
  block::Transaction commit(std::int64_t records) override { return {.records = records}; }
  block::Transaction close(std::int64_t records) override { return {.records = records}; }

 private:
  std::vector<std::int64_t> begins_;
  std::vector<std::int64_t> record_bytes_;  // of each variable; 0: without records
};

void require_places(const std::string& path, const catalog::Definition& definition) {
  const auto& places = definition.places;
  if (!places || places->begins.size() != definition.variables.size())
    fail(THALWEG_ERROR_INTERNAL, "'{}' has {} variables, and {} of them were given a place", path,
         definition.variables.size(), places ? places->begins.size() : 0);
  if (std::ranges::any_of(places->begins, [](std::int64_t begin) { return begin < 0; }))
    fail(THALWEG_ERROR_INTERNAL, "a variable of '{}' was given a place before the file's beginning", path);
  if (places->record_bytes <= 0 && std::ranges::any_of(definition.variables, &catalog::Variable::has_record))
    fail(THALWEG_ERROR_INTERNAL, "records of '{}' were given {} bytes", path, places->record_bytes);
}

}  // namespace

std::unique_ptr<FormatFile> create_placed(const std::string& path, const catalog::Definition& definition,
                                          config::Durability /*durability*/) {
  require_places(path, definition);
  return std::make_unique<PlacedFile>(definition);
}

}  // namespace thalweg::formats::placed
