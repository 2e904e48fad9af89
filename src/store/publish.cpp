#include "store/publish.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "store/posix.hpp"
#include "store/zarr_file.hpp"

namespace thalweg::store {
namespace {

// Renaming replaces a file by a file. A store, or a file in the place of one, has to go first. No other folder does.
void remove_replaced(const std::string& path, bool by_store) {
  const bool is_file = !is_folder(path);
  if (!is_zarr_store(path) && !(by_store && is_file)) return;
  const std::string old = path + ".replaced";
  std::error_code ignored;  // what is in the way then is named by the renaming that follows
  std::filesystem::rename(path, old, ignored);
  if (!ignored) std::filesystem::remove_all(old, ignored);
}

// Where the folder does not let itself be opened, its names are left to the operating system.
void sync_names(const std::string& path) {
  const std::string folder = std::filesystem::absolute(path).parent_path();
  const Descriptor names(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (names) ::fsync(names.get());
}

}  // namespace

void publish(const std::string& partial_path, const std::string& path, bool durable) {
  remove_replaced(path, is_folder(partial_path));
  if (std::rename(partial_path.c_str(), path.c_str()) != 0)
    fail(THALWEG_ERROR_STORAGE, "cannot rename '{}' to '{}': {}; the file is complete under its first name",
         partial_path, path, std::strerror(errno));
  if (durable) sync_names(path);
}

}  // namespace thalweg::store
