#include "files/names_in_use.hpp"

#include "base/error.hpp"

namespace thalweg::files {

NamesInUse::NamesInUse(const config::Settings& settings) {
  if (!settings.source.empty()) owners_.emplace(settings.source, "the configuration");
  if (!settings.profile.empty()) owners_.emplace(settings.profile, "the file of 'profile'");
}

void NamesInUse::claim(const std::string& collection, const std::string& path) {
  const std::string owner = fmt::format("a file of collection '{}'", collection);
  const auto [other, is_new] = owners_.emplace(path, owner);
  if (is_new) return;
  if (other->second == owner)
    fail(THALWEG_ERROR_STORAGE,
         "collection '{}': two files of the series would have the name '{}'; give 'file' a template that tells them "
         "apart",
         collection, path);
  fail(THALWEG_ERROR_STORAGE,
       "collection '{}': its file would have the name '{}', which is that of {} of this run; give 'file' another name",
       collection, path, other->second);
}

}  // namespace thalweg::files
