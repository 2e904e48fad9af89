#include "store/name_lock.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <climits>
#include <cstring>
#include <string_view>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/system_call.hpp"
#include "store/file_identity.hpp"

namespace thalweg::store {
namespace {

constexpr std::string_view signature = "thalweg writes this name: ";

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return ::gethostname(name.data(), HOST_NAME_MAX) == 0 ? name.data() : "?";
}

std::string now_in_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string own_words() {
  return fmt::format("host {}, process {}, since {}", host_name(), ::getpid(), now_in_utc());
}

std::string text_in(const Descriptor& file, const std::string& path) {
  std::string text(512, '\0');
  text.resize(static_cast<std::size_t>(read_all(file, path, 0, std::as_writable_bytes(std::span(text)))));
  return text;
}

// Also where it is not written yet, or only in part; after a failure of power it may have its length and no content.
bool is_own(const std::string& text) {
  const std::string_view begin = std::string_view(text).substr(0, text.find('\0'));
  return begin.starts_with(signature) || signature.starts_with(begin);
}

// Of a lock file that may not be written yet.
std::string owner_in(const std::string& text) {
  if (!text.starts_with(signature)) return "unknown";
  return text.substr(signature.size(), text.find('\n') - signature.size());
}

// By "host NAME, process NUMBER, …"; the process may be another one by now, of the same number.
bool lives_here(const std::string& owner) {
  const std::string here = fmt::format("host {}, process ", host_name());
  if (!owner.starts_with(here)) return false;
  pid_t process = 0;
  std::from_chars(owner.data() + here.size(), owner.data() + owner.size(), process);
  return process > 0 && (::kill(process, 0) == 0 || errno == EPERM);
}

void say_without_locks(const std::string& path, int error) {
  static std::atomic<bool> said{false};
  if (!said.exchange(true))
    log::warning(
        "the file system of '{}' has no locks ({}): a job on another node that writes the same files is not "
        "noticed; see that only one does",
        path, std::strerror(error));
}

}  // namespace

std::string lock_path(const std::string& path) {
  return path + ".lock";
}

NameLock::NameLock(const std::string& path) : path_(path), lock_path_(lock_path(path)), process_(::getpid()) {
  while (!try_take()) {
  }
  sign();
}

// False: who had the name has left meanwhile and has taken the file with it, so that this lock is on nothing.
bool NameLock::try_take() {
  file_ = open_file(lock_path_, O_RDWR | O_CREAT | O_NOFOLLOW);
  const std::string text = text_in(file_, lock_path_);
  if (!is_own(text))
    fail(THALWEG_ERROR_STORAGE,
         "'{}' is in the way: Thalweg keeps there who writes '{}', but it was not made by Thalweg; move it away, or "
         "write to another name",
         lock_path_, path_);
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (uninterrupted([&] { return ::fcntl(file_.get(), F_OFD_SETLK, &lock); }) != 0) {
    if (errno == EAGAIN || errno == EACCES) refuse(owner_in(text_in(file_, lock_path_)));
    say_without_locks(lock_path_, errno);
    if (const std::string owner = owner_in(text); lives_here(owner)) refuse(owner);
  }
  return identity_at(lock_path_) == identity_of(file_, lock_path_);
}

void NameLock::refuse(const std::string& owner) const {
  fail(
      THALWEG_ERROR_STORAGE,
      "'{}' is being written by another job, or by another collection of this one ({}); wait until it has finished, or "
      "end it, or write to another name",
      path_, owner);
}

// For the message to others alone: a full disk, say, does not keep anyone from recovering what lies on it.
void NameLock::sign() const {
  const std::string text = fmt::format("{}{}\n", signature, own_words());
  try {
    write_all(file_, lock_path_, 0, std::as_bytes(std::span(text)));
    resize_file(file_, lock_path_, std::ssize(text));
  } catch (const Error& error) {
    log::debug("{}", error.what());
  }
}

// The name goes before the lock does: who opens it in between sees by the inode that it is no longer the name. A child
// of the process that took it does not give it up.
NameLock::~NameLock() {
  if (::getpid() == process_) ::unlink(lock_path_.c_str());
}

}  // namespace thalweg::store
