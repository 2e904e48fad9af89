#include "storage/name_lock.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/host_name.hpp"
#include "base/log.hpp"
#include "base/system_call.hpp"
#include "storage/file_identity.hpp"

namespace thalweg::storage {
namespace {

constexpr std::string_view signature = "thalweg writes this name: ";
constexpr const char* unknown_owner = "unknown";

std::string now_in_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string own_words(const std::string& session_id) {
  const std::string of_run = session_id.empty() ? "" : ", session " + session_id;
  return fmt::format("host {}, process {}, since {}{}", host_name(), ::getpid(), now_in_utc(), of_run);
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
  if (!text.starts_with(signature)) return unknown_owner;
  return text.substr(signature.size(), text.find('\n') - signature.size());
}

// Where nothing is written, as on a full disk, it may be.
bool is_of_session(const std::string& owner, const std::string& session_id) {
  return owner == unknown_owner || owner.ends_with(", session " + session_id);
}

// By "host NAME, process NUMBER, …"; the process may be another one by now, of the same number.
bool lives_here(const std::string& owner) {
  const std::string here = fmt::format("host {}, process ", host_name());
  if (!owner.starts_with(here)) return false;
  pid_t process = 0;
  std::from_chars(owner.data() + here.size(), owner.data() + owner.size(), process);
  return process > 0 && (::kill(process, 0) == 0 || errno == EPERM);
}

// What is locked of the file: its first byte by the owner, its second by the writers, who share it.
constexpr off_t owners_byte = 0;
constexpr off_t writers_byte = 1;
constexpr off_t all_bytes = 2;

struct flock lock_on(short kind, off_t begin, off_t bytes) {
  struct flock lock{};
  lock.l_type = kind;
  lock.l_whence = SEEK_SET;
  lock.l_start = begin;
  lock.l_len = bytes;
  return lock;
}

// 0, or what went wrong: EAGAIN or EACCES where somebody else has a lock that does not go with this one.
int set_lock(const Descriptor& file, short kind, off_t begin, off_t bytes = 1) {
  struct flock lock = lock_on(kind, begin, bytes);
  return uninterrupted([&] { return ::fcntl(file.get(), F_OFD_SETLK, &lock); }) == 0 ? 0 : errno;
}

bool is_held(int error) {
  return error == EAGAIN || error == EACCES;
}

// The same, but who was killed a moment ago may not have let go yet: a process with much memory takes its time to end.
int set_lock_patiently(const Descriptor& file, off_t byte) {
  constexpr auto nap = std::chrono::milliseconds(20);
  constexpr int most_naps = 100;
  int error = set_lock(file, F_WRLCK, byte);
  for (int naps = 0; is_held(error) && naps < most_naps; ++naps) {
    std::this_thread::sleep_for(nap);
    error = set_lock(file, F_WRLCK, byte);
  }
  return error;
}

bool has_writers(const Descriptor& file) {
  if (is_held(set_lock_patiently(file, writers_byte))) return true;
  set_lock(file, F_UNLCK, writers_byte);
  return false;
}

// Who goes last takes the file along. Before the second look this one holds nothing any more: of two who go at the same
// moment one sees that the other has gone. A child of the process that took the lock does not give it up.
void leave_lock(const Descriptor& file, const std::string& lock_path, pid_t process) {
  if (!file || ::getpid() != process) return;
  int error = set_lock(file, F_WRLCK, owners_byte, all_bytes);
  if (is_held(error)) {
    set_lock(file, F_UNLCK, owners_byte, all_bytes);
    error = set_lock(file, F_WRLCK, owners_byte, all_bytes);
  }
  if (is_held(error)) return;
  try {
    if (identity_at(lock_path) == identity_of(file, lock_path)) ::unlink(lock_path.c_str());
  } catch (const Error& problem) {
    log::debug("{}", problem.what());
  }
}

void say_without_locks(const std::string& path, int error) {
  static std::atomic<bool> said{false};
  if (!said.exchange(true))
    log::warning(
        "the file system of '{}' has no locks ({}): a job on another node that writes the same files is not "
        "noticed; see that only one does",
        path, std::strerror(error));
}

// What somebody else has left, whose files are not everybody's, cannot be locked, so that nobody knows whether its
// owner lives.
Descriptor open_lock(const std::string& path) {
  try {
    return open_file(path, O_RDWR | O_CREAT | O_NOFOLLOW);
  } catch (const Error& error) {
    if (!identity_at(path) || ::access(path.c_str(), R_OK | W_OK) == 0 || errno != EACCES) throw;
    fail(THALWEG_ERROR_STORAGE, "{}; it belongs to another user: if no job of theirs writes the file, remove it",
         error.what());
  }
}

}  // namespace

std::string lock_path(const std::string& path) {
  return path + ".lock";
}

std::string living_owner(const std::string& path) {
  const std::string lock = lock_path(path);
  if (!identity_at(lock)) return "";
  const Descriptor file = open_file(lock, O_RDONLY | O_NOFOLLOW);
  const std::string text = text_in(file, lock);
  if (!is_own(text)) return "";
  struct flock held = lock_on(F_WRLCK, owners_byte, all_bytes);
  if (uninterrupted([&] { return ::fcntl(file.get(), F_OFD_GETLK, &held); }) != 0)
    return lives_here(owner_in(text)) ? owner_in(text) : "";
  return held.l_type != F_UNLCK ? owner_in(text) : "";
}

NameLock::NameLock(const std::string& path, std::string session_id)
    : path_(path), lock_path_(lock_path(path)), session_id_(std::move(session_id)), process_(::getpid()) {
  while (!try_take()) {
  }
  sign();
}

// False: who had the name has left meanwhile and has taken the file with it, so that this lock is on nothing.
bool NameLock::try_take() {
  file_ = open_lock(lock_path_);
  const std::string text = text_in(file_, lock_path_);
  if (!is_own(text))
    fail(THALWEG_ERROR_STORAGE,
         "'{}' is in the way: Thalweg keeps there who writes '{}', but it was not made by Thalweg; move it away, or "
         "write to another name",
         lock_path_, path_);
  if (const int error = set_lock_patiently(file_, owners_byte)) {
    if (is_held(error)) refuse(owner_in(text_in(file_, lock_path_)));
    say_without_locks(lock_path_, error);
    if (const std::string owner = owner_in(text); lives_here(owner)) refuse(owner);
  } else if (has_writers(file_)) {
    refuse_for_writer(owner_in(text));
  }
  return identity_at(lock_path_) == identity_of(file_, lock_path_);
}

void NameLock::refuse(const std::string& owner) const {
  fail(
      THALWEG_ERROR_STORAGE,
      "'{}' is being written by another job, or by another collection of this one ({}); wait until it has finished, or "
      "end it{}",
      path_, owner, session_id_.empty() ? "" : ", or write to another name");
}

void NameLock::refuse_for_writer(const std::string& owner) const {
  fail(
      THALWEG_ERROR_STORAGE,
      "'{}' is still open in another process of the job that wrote it: its owner ({}) has ended, but a writer, perhaps "
      "on another node, lives or is stopped, and could still write; end that job on all its nodes, and try again",
      path_, owner);
}

// For the message to others alone: a full disk, say, does not keep anyone from recovering what lies on it.
void NameLock::sign() const {
  const std::string text = fmt::format("{}{}\n", signature, own_words(session_id_));
  try {
    write_all(file_, lock_path_, 0, std::as_bytes(std::span(text)));
    resize_file(file_, lock_path_, std::ssize(text));
  } catch (const Error& error) {
    log::debug("{}", error.what());
  }
}

// The name goes before the lock does: who opens it in between sees by the inode that it is no longer the name.
NameLock::~NameLock() {
  leave_lock(file_, lock_path_, process_);
}

SharedNameLock::SharedNameLock(const std::string& path, const std::string& session_id)
    : lock_path_(lock_path(path)), process_(::getpid()) {
  if (identity_at(lock_path_)) {
    file_ = open_file(lock_path_, O_RDWR | O_NOFOLLOW);
    const int error = set_lock(file_, F_RDLCK, writers_byte);
    if (error != 0 && !is_held(error)) {
      say_without_locks(lock_path_, error);
      return;
    }
    const bool is_name = error == 0 && identity_at(lock_path_) == identity_of(file_, lock_path_);
    if (is_name && is_of_session(owner_in(text_in(file_, lock_path_)), session_id)) return;
  }
  fail(THALWEG_ERROR_STORAGE,
       "'{}' cannot be opened for writing: the process that owns it has ended, or somebody has removed '{}'; another "
       "job may be taking the name or recovering the file, so this writer leaves it alone",
       path, lock_path_);
}

SharedNameLock::~SharedNameLock() {
  leave_lock(file_, lock_path_, process_);
}

}  // namespace thalweg::storage
