// Recovery of what a killed run left behind.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "api/funnel.hpp"
#include "store/format_file.hpp"

using namespace thalweg;

int thalweg_recover(const char* partial, int64_t* records) {
  return api::funnel([&] {
    const std::string path = api::required_text(partial, "partial");
    constexpr std::string_view suffix = ".partial";
    if (path.size() <= suffix.size() || path.compare(path.size() - suffix.size(), suffix.size(), suffix) != 0)
      fail(THALWEG_ERROR_ARGUMENT, "'{}' does not end in '.partial': only what a killed run left behind is recovered",
           path);
    const std::string target = path.substr(0, path.size() - suffix.size());
    if (std::filesystem::exists(target))
      fail(THALWEG_ERROR_STORAGE, "'{}' exists already; move it away before '{}' is recovered", target, path);
    const std::int64_t whole = store::recover(path);
    if (std::rename(path.c_str(), target.c_str()) != 0)
      fail(THALWEG_ERROR_STORAGE, "cannot rename '{}' to '{}': {}", path, target, std::strerror(errno));
    if (records != nullptr) *records = whole;
  });
}
