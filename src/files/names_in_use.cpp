#include "files/names_in_use.hpp"

#include "base/error.hpp"

namespace thalweg::files {
namespace {

std::string owner_of(const std::string& collection) {
  return fmt::format("a file of collection '{}'", collection);
}

}  // namespace

NamesInUse::NamesInUse(const config::Settings& settings) {
  if (!settings.source.empty()) owners_.emplace(settings.source, "the configuration");
  if (!settings.profile.empty()) owners_.emplace(settings.profile, "the file of 'profile'");
  if (!settings.time_line.empty()) owners_.emplace(settings.time_line, "the file of 'time-line'");
  if (!settings.status.empty()) owners_.emplace(settings.status, "the folder of 'status'");
}

void NamesInUse::claim(const std::string& collection, const std::string& path) {
  require_free(collection, path);
  owners_.emplace(path, owner_of(collection));
}

void NamesInUse::release(const std::string& collection) {
  std::erase_if(owners_, [of = owner_of(collection)](const auto& owner) { return owner.second == of; });
}

void NamesInUse::require_free(const std::string& collection, const std::string& path) const {
  const auto other = owners_.find(path);
  if (other == owners_.end()) return;
  if (other->second == owner_of(collection))
    fail(THALWEG_ERROR_STORAGE,
         "collection '{}': two files of the series would have the name '{}'; give 'file' a template that tells them "
         "apart, or thalweg_new_file another name",
         collection, path);
  fail(THALWEG_ERROR_STORAGE,
       "collection '{}': its file would have the name '{}', which is that of {} of this run; give it another name",
       collection, path, other->second);
}

}  // namespace thalweg::files
