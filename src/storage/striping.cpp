#include "storage/striping.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/log.hpp"

namespace thalweg::storage {
namespace {

constexpr long lustre_magic = 0x0BD00BD0;

// lfs makes a file before it asks for its striping, and leaves it when that is refused.
void remove_empty(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0) ::unlink(path.c_str());
}

}  // namespace

bool is_on_lustre(const std::string& path) {
  const std::string folder = std::filesystem::absolute(path).parent_path();
  struct statfs status{};
  return ::statfs(folder.c_str(), &status) == 0 && static_cast<long>(status.f_type) == lustre_magic;
}

std::vector<std::string> striping_command(const std::string& path, const config::Striping& striping) {
  std::vector<std::string> command = {"lfs", "setstripe"};
  if (striping.count != 0) command.insert(command.end(), {"-c", std::to_string(striping.count)});
  if (striping.bytes != 0) command.insert(command.end(), {"-S", std::to_string(striping.bytes)});
  command.push_back(path);
  return command;
}

// A child of its own, because Lustre's library is not everywhere where its file system is.
bool run_command(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawnp(&child, words[0], nullptr, nullptr, words.data(), environ) != 0) return false;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Descriptor make_striped(const std::string& path, const config::Striping& striping) {
  if (striping.is_set() && is_on_lustre(path)) {
    const bool is_new = ::access(path.c_str(), F_OK) != 0;
    if (run_command(striping_command(path, striping))) return open_file(path, O_WRONLY);
    if (is_new) remove_empty(path);
    log::warning("'{}': 'lfs setstripe' does not succeed; the file is striped as its folder is", path);
  }
  return open_file(path, O_CREAT | O_EXCL | O_WRONLY);
}

std::int64_t stripe_count(const std::string& path) {
  if (!is_on_lustre(path)) return 0;
  std::array<std::byte, 65536> attribute{};
  const ssize_t bytes = ::getxattr(path.c_str(), "lustre.lov", attribute.data(), attribute.size());
  return bytes < 0 ? 0 : stripe_count_in(std::span(attribute).first(static_cast<std::size_t>(bytes)));
}

// (source: lustre_user.h, struct lov_user_md_v1 and v3: magic, pattern, 16 bytes of object, stripe size, stripe count)
std::int64_t stripe_count_in(std::span<const std::byte> attribute) {
  constexpr std::uint32_t magic_v1 = 0x0BD10BD0;
  constexpr std::uint32_t magic_v3 = 0x0BD30BD0;
  constexpr std::size_t count_offset = 28;
  std::uint32_t magic = 0;
  std::uint16_t count = 0;
  if (attribute.size() < count_offset + sizeof count) return 0;
  std::memcpy(&magic, attribute.data(), sizeof magic);
  if (magic != magic_v1 && magic != magic_v3) return 0;
  std::memcpy(&count, attribute.data() + count_offset, sizeof count);
  return count;
}

}  // namespace thalweg::storage
