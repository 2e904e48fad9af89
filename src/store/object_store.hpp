// Writes the objects of a store that is a folder of files, as Zarr's is. An object is there whole or not at all: it is
// written under a temporary name in its own folder, and renamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "config/settings.hpp"
#include "store/file_identity.hpp"
#include "store/mover.hpp"
#include "store/open_folders.hpp"
#include "store/posix.hpp"

namespace thalweg::store {

// A temporary object is its name with this at the end. A name has one writer at a time, so that a fixed ending will do,
// and what a killed writer left is written over by the next.
constexpr std::string_view temporary_ending = ".partial";

// Objects of at least so many bytes go past the page cache.
constexpr std::int64_t direct_object_bytes = std::int64_t{1} << 20;

// An existing folder, written to by one thread; other processes may write other objects. Keys are paths relative to the
// folder. Errors are STORAGE and name the path.
class ObjectStore {
 public:
  ObjectStore(std::string path, config::DirectIo direct);

  // Puts an object that consists of these pieces, one after the other; replaces one that is there; makes its folder.
  // Direct writes need pieces that agree with their place in the object modulo page_bytes.
  // durable: its bytes are on stable storage when it gets its name (and the name is after sync_folders()).
  void put(const std::string& key, std::span<const std::span<const std::byte>> pieces, bool durable);
  void put(const std::string& key, std::span<const std::byte> bytes, bool durable);
  void put(const std::string& key, std::string_view text, bool durable);

  // Removes an object, if it is there.
  void remove(const std::string& key);

  // The names of all durable objects so far, and all removals, are on stable storage.
  void sync_folders();

  // Everything put so far, durable or not, is on stable storage. The whole file system is synced: a store has too many
  // objects to open each again.
  void sync();

  const std::string& path() const { return path_; }
  FileIdentity identity() const { return identity_of(root_, path_); }  // of the store's folder
  const MoverCounts& counts() const { return counts_; }

 private:
  const Descriptor& folder(const std::string& key);
  Descriptor open_folder(const std::string& key);
  Descriptor open_in(const Descriptor& folder, const std::string& name, int flags);
  void make_folders(const std::string& key);
  std::string full_path(const std::string& key) const;
  void write(const Descriptor& file, const std::string& path, std::span<const std::span<const std::byte>> pieces,
             bool durable);
  void write_direct(const std::string& path, std::span<const std::span<const std::byte>> pieces, bool durable);

  std::string path_;
  config::DirectIo direct_;
  Descriptor root_;
  OpenFolders folders_;
  std::set<std::string> changed_;  // folders with names that sync_folders() is to see to
  MoverCounts counts_;
};

// Deletes what killed writers left under temporary names, and returns how many files.
std::int64_t remove_temporaries(const std::string& path);

}  // namespace thalweg::store
