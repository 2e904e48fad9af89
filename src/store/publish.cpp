#include "store/publish.hpp"

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
#include "store/object_store.hpp"
#include "store/partial_name.hpp"
#include "store/posix.hpp"
#include "store/read_text.hpp"
#include "store/zarr_file.hpp"

namespace thalweg::store {
namespace {

namespace fs = std::filesystem;

// A link is itself: what it leads to has another name.
bool is_store(const std::string& path) {
  return fs::is_directory(fs::symlink_status(path));
}

// In a store that has lost its name to another one. Its removal ends with this object.
constexpr const char* replaced_mark = "thalweg-replaced";

bool is_marked(const std::string& store) {
  return fs::exists(fs::symlink_status(fs::path(store) / replaced_mark));
}

void mark(const std::string& store) {
  ObjectStore(store, config::DirectIo::off).put(replaced_mark, std::string_view(), Stable::never);
}

void unmark(const std::string& store) {
  ObjectStore(store, config::DirectIo::off).remove(replaced_mark);
}

// In a new store: which one it takes the place of. Between the exchange of names and the end of the removal that one
// has the partial name.
constexpr const char* replaced_note = "thalweg-replaces";

std::string words_of(const FileIdentity& old) {
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

// The root's metadata go first: who opens what a kill leaves of the store does not take it for one. The mark goes last:
// it is still known as ours.
void remove_marked(const std::string& store) {
  std::error_code error;
  fs::remove(fs::path(store) / zarr_json, error);
  for (fs::directory_iterator entry(store, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().filename() != replaced_mark) fs::remove_all(entry->path(), error);
  if (!error) fs::remove_all(store, error);
  if (error) fail_storage(fmt::format("remove '{}', which another store has replaced", store), error.value());
}

bool is_zarr_metadata(const std::string& name) {
  constexpr std::string_view known[] = {"zarr.json", ".zgroup", ".zarray", ".zattrs", ".zmetadata"};
  return std::ranges::find(known, name) != std::end(known);
}

bool is_number(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

// Of version 3 below "c", of version 2 "0", "0.1.2"; and folders of such.
bool is_chunk(const std::string& name) {
  const auto is_part = [](unsigned char letter) { return std::isdigit(letter) != 0 || letter == '.'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) != 0 &&
         std::ranges::all_of(name, is_part);
}

std::string without_temporary_ending(std::string name) {
  if (name.ends_with(temporary_ending)) name.resize(name.size() - std::string_view(temporary_ending).size());
  return name;
}

bool is_own_object(const std::string& name) {
  return name == zarr_mark || name == replaced_mark || name == replaced_note;
}

bool is_node(const fs::path& folder) {
  return std::ranges::any_of(fs::directory_iterator(folder), [](const fs::directory_entry& entry) {
    return is_zarr_metadata(entry.path().filename());
  });
}

// The first entry below that is neither a chunk nor a folder of them; empty: there is none.
fs::path foreign_in_chunks(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = without_temporary_ending(entry.path().filename());
    const bool is_tree = !entry.is_symlink() && entry.is_directory();
    if (is_tree ? !is_number(name) : !is_chunk(name)) return entry.path();
    if (!is_tree) continue;
    if (fs::path found = foreign_in_chunks(entry.path()); !found.empty()) return found;
  }
  return {};
}

// The first entry that no store has; empty: there is none.
fs::path foreign_entry(const fs::path& node) {
  for (const fs::directory_entry& entry : fs::directory_iterator(node)) {
    const std::string name = without_temporary_ending(entry.path().filename());
    const bool is_tree = !entry.is_symlink() && entry.is_directory();
    if (!is_tree && (is_zarr_metadata(name) || is_own_object(name) || is_chunk(name))) continue;
    if (!is_tree) return entry.path();
    const bool has_chunks = name == "c" || is_number(name);
    if (!has_chunks && !is_node(entry.path())) return entry.path();
    if (fs::path found = has_chunks ? foreign_in_chunks(entry.path()) : foreign_entry(entry.path()); !found.empty())
      return found;
  }
  return {};
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

void require_nothing_foreign(const std::string& store) {
  if (!is_zarr_store(store))
    fail(THALWEG_ERROR_STORAGE,
         "'{}' is a folder and no Zarr store, so it is not replaced; remove it, or change 'file'", store);
  try {
    const fs::path found = foreign_entry(store);
    if (!found.empty())
      fail(
          THALWEG_ERROR_STORAGE,
          "'{}' is not replaced, because there is something in it that is no part of a Zarr store: '{}'; move it away, "
          "or change 'file'",
          store, found.string());
  } catch (const fs::filesystem_error& error) {
    fail_storage(fmt::format("look through the store '{}'", store), error.code().value());
  }
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

void publish(const std::string& partial_path, const std::string& path, const FileIdentity& written, bool durable,
             ChecksumFile* checksums) {
  require_same(written, partial_path);
  const bool is_free = !fs::exists(fs::symlink_status(path));
  const bool exchanges = !is_free && (is_store(path) || is_store(partial_path));
  if (exchanges && is_store(path)) require_nothing_foreign(path);
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

}  // namespace thalweg::store
