#include "api/replace_json.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <span>

#include "base/error.hpp"
#include "formats/replacing.hpp"
#include "storage/posix.hpp"
#include "storage/publish.hpp"

namespace thalweg::api {
namespace {

void require_json(const std::string& path, const char* what) {
  const auto there = storage::identity_at(path);
  if (!there) return;
  const storage::Descriptor file = storage::open_file(path, O_RDONLY);
  std::byte first{};
  if (storage::read_all(file, path, 0, std::span(&first, 1)) == 1 && first != std::byte{'{'})
    fail(THALWEG_ERROR_STORAGE, "'{}' is no {}, so it is not replaced; name another file", path, what);
}

}  // namespace

void replace_json(const std::string& path, const std::string& text, const char* what) {
  require_json(path, what);
  const std::string growing = fmt::format("{}.{}.partial", path, ::getpid());
  {
    storage::Descriptor file = storage::open_file(growing, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY);
    storage::write_all(file, growing, 0, std::as_bytes(std::span(text)));
    file.close(growing);
  }
  storage::publish(growing, path, *storage::identity_at(growing), false, formats::require_replaceable);
}

}  // namespace thalweg::api
