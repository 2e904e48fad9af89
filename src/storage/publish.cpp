#include "storage/publish.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/error.hpp"
#include "base/log.hpp"
#include "storage/object_store.hpp"
#include "storage/partial_name.hpp"
#include "storage/posix.hpp"
#include "storage/read_text.hpp"

namespace thalweg::storage {
namespace {

namespace fs = std::filesystem;

// A link is itself: what it leads to has another name.
bool is_store(const std::string& path) {
  return fs::is_directory(fs::symlink_status(path));
}

bool is_marked(const std::string& store) {
  return fs::exists(fs::symlink_status(fs::path(store) / replaced_mark));
}

void mark(const std::string& store) {
  ObjectStore(store, config::DirectIo::off).put(replaced_mark, std::string_view(), Stable::never);
}

void unmark(const std::string& store) {
  ObjectStore(store, config::DirectIo::off).remove(replaced_mark);
}

std::string words_of(const block::FileIdentity& old) {
  return fmt::format("inode {}, born {}\n", old.inode, old.born_ns);
}

// Half a note is none.
void note_replaced(const std::string& store, const std::string& old) {
  const auto found = identity_at(old);
  if (!is_store(store) || !found) return;
  const std::string note = fs::path(store) / replaced_note;
  Descriptor file = open_file(note, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW);
  const std::string words = words_of(*found);
  write_all(file, note, 0, std::as_bytes(std::span(words)));
  file.close(note);
}

bool has_replaced(const std::string& store, const std::string& old) {
  const std::string note = fs::path(store) / replaced_note;
  const auto found = identity_at(old);
  return found && fs::is_regular_file(fs::symlink_status(note)) && read_text(note) == words_of(*found);
}

void remove_note(const std::string& store) {
  const std::string note = fs::path(store) / replaced_note;
  if (is_store(store) && ::unlink(note.c_str()) != 0 && errno != ENOENT)
    fail_storage(fmt::format("remove '{}'", note), errno);
}

// By which its format knows it goes first: who opens what a kill leaves of the store does not take it for one. The mark
// goes last: it is still known as ours.
void remove_marked(const std::string& store) {
  std::error_code error;
  for (const config::Format format : config::formats())
    if (!format->root.empty()) fs::remove(fs::path(store) / format->root, error);
  for (fs::directory_iterator entry(store, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().filename() != replaced_mark) fs::remove_all(entry->path(), error);
  if (!error) fs::remove_all(store, error);
  if (error) fail_storage(fmt::format("remove '{}', which another store has replaced", store), error.value());
}

int rename_to(const std::string& from, const std::string& to) {
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

// Of an overlay whose lower layer has one of two folders: it is not moved, but its copy is.
constexpr const char* advice_for_layers =
    "; a folder in a lower layer of an overlay keeps its name: mount with redirect_dir=on, or give it another name "
    "with "
    "'mv', which copies it, and recover what is complete";

[[noreturn]] void fail_to_name(const std::string& partial_path, const std::string& path, int error) {
  fail(THALWEG_ERROR_STORAGE, "cannot rename '{}' to '{}': {}; the file is complete under its first name{}",
       partial_path, path, std::strerror(error), error == EXDEV ? advice_for_layers : "");
}

std::string path_aside(const std::string& path) {
  return path + ".replaced";
}

void remove_old(const std::string& old) {
  if (!is_store(old)) {
    if (::unlink(old.c_str()) != 0) fail_storage(fmt::format("remove '{}', which a store has replaced", old), errno);
    return;
  }
  if (!is_marked(old)) mark(old);
  remove_marked(old);
}

// Where names cannot be exchanged, for a moment nobody has this one; the two complete ones have others. Says where the
// old one is then.
std::string step_aside(const std::string& partial_path, const std::string& path) {
  const std::string aside = path_aside(path);
  if (fs::exists(fs::symlink_status(aside)))
    fail(
        THALWEG_ERROR_STORAGE,
        "'{}' has to step aside as '{}' for '{}', but that exists and is not Thalweg's; move it away, and recover '{}'",
        path, aside, partial_path, partial_path);
  if (is_store(path)) mark(path);
  if (const int error = rename_to(path, aside)) fail_to_name(partial_path, path, error);
  if (const int error = rename_to(partial_path, path)) {
    if (rename_to(aside, path) == 0 && is_store(path)) unmark(path);
    fail_to_name(partial_path, path, error);
  }
  return aside;
}

// Two of which at least one is a store: renaming alone does not replace. Says where the old one is then.
std::string exchange_names(const std::string& partial_path, const std::string& path) {
  note_replaced(partial_path, path);
  if (::renameat2(AT_FDCWD, partial_path.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) return partial_path;
  if (errno == EINVAL || errno == ENOSYS) return step_aside(partial_path, path);
  fail_to_name(partial_path, path, errno);
}

}  // namespace

bool may_have_replaced(const std::string& path) {
  return is_store(path + partial_ending) || is_store(path_aside(path));
}

void remove_replaced(const std::string& path) {
  const std::string aside = path_aside(path);
  if (is_store(aside) && is_marked(aside)) {
    if (fs::exists(fs::symlink_status(path))) return remove_marked(aside);
    // Nobody has got the name yet: the old one takes it back.
    if (const int error = rename_to(aside, path)) fail_storage(fmt::format("give '{}' its name back", aside), error);
    unmark(path);
  }
  const std::string left = path + partial_ending;
  if ((is_store(left) && is_marked(left)) || has_replaced(path, left)) remove_old(left);
  remove_note(path);
}

void publish(const std::string& partial_path, const std::string& path, const block::FileIdentity& written, bool durable,
             FolderCheck check_folder, ChecksumFile* checksums) {
  require_same(written, partial_path);
  const bool is_free = !fs::exists(fs::symlink_status(path));
  const bool exchanges = !is_free && (is_store(path) || is_store(partial_path));
  if (exchanges && is_store(path)) check_folder(path);
  remove_checksums(path);
  std::string old;
  if (exchanges)
    old = exchange_names(partial_path, path);
  else if (const int error = rename_to(partial_path, path))
    fail_to_name(partial_path, path, error);
  if (checksums != nullptr) checksums->publish();
  if (durable) sync_folder_of(path);
  if (!old.empty()) remove_old(old);
  remove_note(path);
}

}  // namespace thalweg::storage
