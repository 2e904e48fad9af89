#include "netcdf/files.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "config/program_collection.hpp"
#include "netcdf/call_settings.hpp"

namespace thalweg::netcdf {
namespace {

// (source of the numbers: netcdf.h, NC_FORMAT_*)
FileName named(const std::string& path, int mode) {
  const bool replaces = (mode & no_clobber) == 0;
  if ((mode & netcdf4) != 0) return {path, "netcdf4", 3, replaces};
  if ((mode & data_64bit) != 0) return {path, "cdf5", 5, replaces};
  if ((mode & offset_64bit) != 0) return {path, "cdf2", 2, replaces};
  return {path, "cdf1", 1, replaces};
}

void require_name(const std::string& path) {
  if (path.empty()) fail(THALWEG_ERROR_ARGUMENT, "a file needs a name");
  const auto is_control = [](unsigned char letter) { return letter < ' ' || letter == 0x7f; };
  if (std::ranges::any_of(path, is_control))
    fail(THALWEG_ERROR_ARGUMENT, "file '{}': a control character is in its name", path);
}

// What storage answers for the name, as far as the rank that asks can see it: else the file fails much later. A folder
// is what some formats make.
void require_place(const std::filesystem::path& path, bool makes_folder) {
  std::error_code why;
  const std::filesystem::file_status found = std::filesystem::status(path, why);
  if (why == std::errc::filename_too_long)
    fail(THALWEG_ERROR_STORAGE, "file '{}': its name is too long for the storage; give nf90_create a shorter one",
         path.string());
  if (!makes_folder && std::filesystem::is_directory(found))
    fail(THALWEG_ERROR_STORAGE, "file '{}' is a folder; give nf90_create another name", path.string());
  const std::filesystem::path folder = path.parent_path();
  if (folder.empty() || std::filesystem::exists(folder, why) || why) return;
  fail(THALWEG_ERROR_STORAGE, "file '{}': there is no folder '{}'; make it, or give nf90_create another path",
       path.string(), folder.string());
}

}  // namespace

// Programs ask so whether a file is there, and go on under another name: they have to hear of it here, although the
// file is made much later. A configuration that says what becomes of such files prevails.
bool Files::keeps(const std::string& path, int mode) const {
  const FileName name = named(path, mode);
  const config::Settings& settings = session_.settings();
  if (name.replaces) return false;
  if (names_.contains(path)) return true;
  if (settings.configured(name.collection(), "append") != nullptr) return false;
  std::error_code unknown;
  return std::filesystem::exists(std::filesystem::path(settings.folder) / path, unknown);
}

void Files::create(int number, const std::string& path, int mode) {
  require_name(path);
  if (keeps(path, mode))
    throw FileIsKept(THALWEG_ERROR_NAME,
                     fmt::format("file '{}' is there, and NC_NOCLOBBER (nf90_noclobber) in the mode keeps it; make one "
                                 "of another name, or leave that out to replace it",
                                 path));
  const FileName name = named(path, mode);
  const config::Settings& settings = session_.settings();
  config::require_for_calls(settings, name.collection());
  const config::Format format = format_of(name, settings);
  if (format->traits.publishing == config::Publishing::partial_and_rename)
    require_place(std::filesystem::path(settings.folder) / path, format->traits.objects);
  if (!names_.insert(path).second)
    fail(THALWEG_ERROR_NAME,
         "file '{}' was made by this run already, and a run makes a file once; close it and go on under another name",
         path);
  open_.emplace(std::piecewise_construct, std::tuple(number), std::forward_as_tuple(session_, collections_, name));
}

File& Files::at(int number) {
  const auto found = open_.find(number);
  if (found == open_.end()) fail(THALWEG_ERROR_STATE, "the file with the number {} is closed", number);
  return found->second;
}

void Files::close(int number) {
  at(number);
  const auto closing = open_.extract(number);
  File& file = closing.mapped();
  FirstError first;
  first.of([&] { file.close(); });
  lost_.of([&] { file.throw_if_failed(); });
  first.rethrow();
}

void Files::close_all(const std::function<void(const std::string&)>& before) {
  FirstError first = std::move(lost_);
  while (!open_.empty()) {
    before(open_.begin()->second.name().path);
    first.of([&] { close(open_.begin()->first); });
  }
  first.rethrow();
}

}  // namespace thalweg::netcdf
