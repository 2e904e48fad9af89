// Writes the objects of a store that is a folder of files, as Zarr's is. An object is there whole or not at all: it is
// written under a temporary name in its own folder, and renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "block/transaction.hpp"
#include "config/settings.hpp"
#include "storage/file_identity.hpp"
#include "storage/mover.hpp"
#include "storage/open_folders.hpp"
#include "storage/posix.hpp"

namespace thalweg::storage {

// A temporary object is its name with this at the end. A name has one writer at a time, so that a fixed ending will do,
// and what a killed writer left is written over by the next.
constexpr std::string_view temporary_ending = ".partial";

// When an object is on stable storage: perhaps never; when sync() has returned; or when put() has, which
// `durability: none`, `close` and `record` ask for.
enum class Stable { never, at_sync, at_once };
Stable stable_with(config::Durability durability);

// Whether syncfs on a file system of this type (statfs) brings all of it to stable storage. Linux does not hand it on
// to file systems in user space, and on networks it is not always honoured: where this is not known, nothing is left to
// it.
bool honours_syncfs(std::int64_t type);

// Objects of at least so many bytes go past the page cache.
constexpr std::int64_t direct_object_bytes = std::int64_t{1} << 20;

// An existing folder, written to by one thread; other processes may write other objects. Keys are paths relative to the
// folder. Errors are STORAGE and name the path.
class ObjectStore {
 public:
  ObjectStore(std::string path, config::DirectIo direct);

  // Puts an object that consists of these pieces, one after the other; replaces one that is there; makes its folder.
  // Direct writes need pieces that agree with their place in the object modulo page_bytes.
  // at_once: its bytes are on stable storage when it gets its name (and the name is after sync_folders()). So they are
  // with at_sync where syncfs is not to be relied on: sync() would have to open each object of the store again, and
  // might not be told any more what went wrong when the system wrote it.
  void put(const std::string& key, std::span<const std::span<const std::byte>> pieces, Stable stable);
  void put(const std::string& key, std::span<const std::byte> bytes, Stable stable);
  void put(const std::string& key, std::string_view text, Stable stable);

  // Removes an object, if it is there.
  void remove(const std::string& key);

  // The names of all durable objects so far, and all removals, are on stable storage.
  void sync_folders();

  // Everything put so far, but with `never`, is on stable storage. Where that is known to work the whole file system is
  // synced, and `never` makes no difference; elsewhere objects are there already, and folders are synced.
  void sync();

  bool syncs_each() const { return !relies_on_syncfs_; }
  const std::string& path() const { return path_; }
  block::FileIdentity identity() const { return identity_of(root_, path_); }  // of the store's folder
  const profile::StorageCounters& counts() const { return counts_; }

 private:
  const Descriptor& folder(const std::string& key);
  Descriptor open_folder(const std::string& key);
  Descriptor open_in(const Descriptor& folder, const std::string& name, int flags);
  void make_folders(const std::string& key);
  std::string full_path(const std::string& key) const;
  void write(const Descriptor& file, const std::string& path, std::span<const std::span<const std::byte>> pieces,
             bool durable);
  void write_direct(const std::string& path, std::span<const std::span<const std::byte>> pieces, bool durable);
  void note_changed(const std::string& folder);

  std::string path_;
  config::DirectIo direct_;
  Descriptor root_;
  OpenFolders folders_;
  bool relies_on_syncfs_;
  std::set<std::string> changed_;  // folders with names that sync_folders() is to see to
  profile::StorageCounters counts_;
};

// at_once: the records that this commit makes visible are on stable storage when it returns, if their chunks were put
// so, and a power failure at any moment leaves whole records. Of the complete store everything is, unless it was put
// with `never`. at_sync: so it is when the store was synced behind the last commit.
void apply(ObjectStore& store, const block::ObjectCommit& commit, Stable stable);

// Deletes what killed writers left under temporary names, and returns how many files.
std::int64_t remove_temporaries(const std::string& path);

}  // namespace thalweg::storage
