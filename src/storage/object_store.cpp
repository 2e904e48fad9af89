#include "storage/object_store.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/seconds.hpp"
#include "base/system_call.hpp"
#include "storage/storage_calls.hpp"

namespace thalweg::storage {
namespace {

using Pieces = std::span<const std::span<const std::byte>>;

// "temp/c/12/0" of "temp/c/12/0/3"; "" of "zarr.json", which is in the store's own folder.
std::string folder_of(const std::string& key) {
  const std::size_t slash = key.rfind('/');
  return slash == std::string::npos ? "" : key.substr(0, slash);
}

std::string name_in_folder(const std::string& key) {
  return key.substr(key.rfind('/') + 1);
}

std::int64_t bytes_of(Pieces pieces) {
  std::int64_t bytes = 0;
  for (const auto& piece : pieces) bytes += static_cast<std::int64_t>(piece.size());
  return bytes;
}

// A folder whose file system does not say what it is counts as one that is not known.
bool lies_where_syncfs_works(const Descriptor& folder) {
  struct statfs status{};
  return uninterrupted([&] { return ::fstatfs(folder.get(), &status); }) == 0 && honours_syncfs(status.f_type);
}

// Folders that wait for sync_folders(): of a store with a folder a record they would be more and more.
constexpr std::size_t most_changed_folders = 256;

}  // namespace

Stable stable_with(config::Durability durability) {
  if (durability == config::Durability::none) return Stable::never;
  return durability == config::Durability::record ? Stable::at_once : Stable::at_sync;
}

bool honours_syncfs(std::int64_t type) {
  constexpr std::int64_t xfs = 0x58465342;  // (source: fs/xfs/libxfs/xfs_format.h, XFS_SB_MAGIC)
  // ext2, ext3 and ext4 have one number. An overlay hands syncfs on to the file system of its upper layer.
  constexpr std::int64_t known[] = {EXT4_SUPER_MAGIC, xfs,         BTRFS_SUPER_MAGIC,
                                    F2FS_SUPER_MAGIC, TMPFS_MAGIC, OVERLAYFS_SUPER_MAGIC};
  return std::ranges::find(known, type) != std::end(known);
}

ObjectStore::ObjectStore(std::string path, config::DirectIo direct)
    : path_(std::move(path)),
      direct_(direct),
      root_(open_file(path_, O_RDONLY | O_DIRECTORY)),
      relies_on_syncfs_(lies_where_syncfs_works(root_)) {}

std::string ObjectStore::full_path(const std::string& key) const {
  return key.empty() ? path_ : path_ + "/" + key;
}

void ObjectStore::make_folders(const std::string& key) {
  for (std::size_t end = key.find('/');; end = key.find('/', end + 1)) {
    const std::string folder = key.substr(0, end);
    if (uninterrupted([&] { return ::mkdirat(root_.get(), folder.c_str(), 0777); }) == 0)
      changed_.insert(folder_of(folder));
    else if (errno != EEXIST)
      fail_storage(fmt::format("create the folder '{}'", full_path(folder)), errno);
    if (end == std::string::npos) return;
  }
}

Descriptor ObjectStore::open_folder(const std::string& key) {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  const std::string name = key.empty() ? "." : key;
  Descriptor folder = open_in(root_, name, flags);
  if (!folder && errno == ENOENT) {
    make_folders(key);
    folder = open_in(root_, name, flags);
  }
  if (!folder) fail_storage(fmt::format("open the folder '{}'", full_path(key)), errno);
  return folder;
}

const Descriptor& ObjectStore::folder(const std::string& key) {
  const Descriptor* known = folders_.find(key);
  return known != nullptr ? *known : folders_.add(key, open_folder(key));
}

// Where the process has too many files open, the folders that are only kept are closed.
Descriptor ObjectStore::open_in(const Descriptor& folder, const std::string& name, int flags) {
  const auto open = [&] { return uninterrupted([&] { return ::openat(folder.get(), name.c_str(), flags, 0666); }); };
  const int opened = open();
  const bool are_too_many = opened < 0 && (errno == EMFILE || errno == ENFILE);
  return Descriptor(are_too_many && folders_.close_all_but(&folder) ? open() : opened);
}

// Where the last sync() sees to each folder by itself they are not left to it alone.
void ObjectStore::note_changed(const std::string& folder) {
  changed_.insert(folder);
  if (!relies_on_syncfs_ && changed_.size() > most_changed_folders) sync_folders();
}

void ObjectStore::put(const std::string& key, Pieces pieces, Stable stable) {
  const bool durable = stable == Stable::at_once || (stable == Stable::at_sync && !relies_on_syncfs_);
  const std::string folder_key = folder_of(key);
  const Descriptor& place = folder(folder_key);
  const std::string name = name_in_folder(key);
  const std::string temporary = name + std::string(temporary_ending);
  const std::string path = full_path(key) + std::string(temporary_ending);
  Descriptor file = open_in(place, temporary, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC);
  if (!file) fail_storage(fmt::format("create '{}'", path), errno);
  try {
    if (direct_ != config::DirectIo::off && bytes_of(pieces) >= direct_object_bytes)
      write_direct(path, pieces, durable);
    else
      write(file, path, pieces, durable);
    file.close(path);
  } catch (...) {
    ::unlinkat(place.get(), temporary.c_str(), 0);  // on a full disk its room is wanted
    throw;
  }
  if (uninterrupted([&] { return ::renameat(place.get(), temporary.c_str(), place.get(), name.c_str()); }) != 0)
    fail_storage(fmt::format("rename '{}' to '{}'", path, full_path(key)), errno);
  if (durable) note_changed(folder_key);
}

void ObjectStore::put(const std::string& key, std::span<const std::byte> bytes, Stable stable) {
  put(key, Pieces(&bytes, 1), stable);
}

void ObjectStore::put(const std::string& key, std::string_view text, Stable stable) {
  put(key, std::as_bytes(std::span(text)), stable);
}

void ObjectStore::write(const Descriptor& file, const std::string& path, Pieces pieces, bool durable) {
  const double start_s = now_s();
  std::vector<iovec> parts;
  parts.reserve(pieces.size());
  for (const auto& piece : pieces) parts.push_back({const_cast<std::byte*>(piece.data()), piece.size()});
  counts_.write_calls += write_all(file, path, 0, parts);
  counts_.buffered_bytes += bytes_of(pieces);
  const double written_s = now_s();
  counts_.write_s.add(start_s, written_s);
  if (!durable) return;
  sync_data(file, path);
  ++counts_.syncs;
  counts_.sync_s.add(written_s, now_s());
}

// Once refused, direct writes are not tried again in this store (with direct-io: on the mover fails).
void ObjectStore::write_direct(const std::string& path, Pieces pieces, bool durable) {
  Mover mover(path, direct_);
  std::vector<DataRun> runs;
  std::int64_t offset = 0;
  for (const auto& piece : pieces) {
    const auto bytes = static_cast<std::int64_t>(piece.size());
    runs.push_back({offset, piece.data(), bytes});
    offset += bytes;
  }
  mover.write(runs);
  if (durable) mover.sync();
  mover.close();
  counts_ += mover.counts();
  if (!mover.fallback_reason().empty()) direct_ = config::DirectIo::off;
}

void ObjectStore::remove(const std::string& key) {
  const std::string folder_key = folder_of(key);
  if (uninterrupted([&] { return ::unlinkat(root_.get(), key.c_str(), 0); }) == 0)
    changed_.insert(folder_key);
  else if (errno != ENOENT)
    fail_storage(fmt::format("remove '{}'", full_path(key)), errno);
}

void ObjectStore::sync() {
  if (!relies_on_syncfs_) return sync_folders();
  const Timer timer(counts_.sync_s);
  storage_call_begins();
  if (uninterrupted([&] { return ::syncfs(root_.get()); }) != 0)
    fail_storage(fmt::format("bring the file system of '{}' to stable storage", path_), errno);
  ++counts_.syncs;
  changed_.clear();
}

void ObjectStore::sync_folders() {
  const Timer timer(counts_.sync_s);
  for (const std::string& key : std::exchange(changed_, {})) {
    storage_call_begins();
    if (uninterrupted([descriptor = folder(key).get()] { return ::fsync(descriptor); }) != 0)
      fail_storage(fmt::format("bring the folder '{}' to stable storage", full_path(key)), errno);
    ++counts_.syncs;
  }
}

std::int64_t remove_temporaries(const std::string& path) {
  std::vector<std::filesystem::path> left;
  try {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
      if (entry.is_regular_file() && entry.path().native().ends_with(temporary_ending)) left.push_back(entry.path());
    for (const auto& file : left) std::filesystem::remove(file);
  } catch (const std::filesystem::filesystem_error& error) {
    fail_storage(fmt::format("remove temporary objects of '{}'", path), error.code().value());
  }
  return std::ssize(left);
}

// Of the metadata only the root needs to be on stable storage: recovery makes arrays agree with it. That is as good as
// syncing each of a thousand arrays at each commit, which took seconds. The last commit's stay.
void apply(ObjectStore& store, const block::ObjectCommit& commit, Stable stable) {
  const bool at_once = stable == Stable::at_once;
  if (at_once) store.sync_folders();
  const Stable of_arrays = commit.is_complete() && stable != Stable::never ? Stable::at_sync : Stable::never;
  for (const block::ObjectCommit::Object& object : commit.objects)
    store.put(object.key, object.text, at_once && &object == &commit.objects.back() ? stable : of_arrays);
  if (at_once && commit.is_complete()) store.sync();
  if (commit.is_complete()) store.remove(commit.mark);
  if (at_once) store.sync_folders();
}

}  // namespace thalweg::storage
