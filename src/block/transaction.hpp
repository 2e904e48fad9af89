// Changes of a file's metadata.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace thalweg::block {

// A piece of metadata on its way to the file.
struct MetadataWrite {
  std::int64_t offset = 0;
  std::vector<std::byte> bytes;
  std::int64_t end() const { return offset + std::ssize(bytes); }
};

// The same for a format whose metadata are objects: they are replaced in this order, the last one, the root, makes the
// records visible.
struct ObjectCommit {
  struct Object {
    std::string key;
    std::string text;
  };
  std::int64_t records = 0;  // whole records of the store once it is applied
  std::vector<Object> objects{};
  std::string mark{};  // of a complete store: the object that only a growing one has, which is removed

  bool is_complete() const { return !mark.empty(); }
};

// The metadata that makes records visible: to be written after their data, by any thread, in the order in which they
// were made (apply() of storage/journal.hpp). One that is journaled goes through the journal, so that a killed job
// leaves the state before or the state after it.
struct Transaction {
  std::int64_t records = 0;             // whole records of the file once it is applied
  std::vector<MetadataWrite> writes{};  // in the order in which they are to be made
  std::int64_t file_bytes = -1;         // size to give the file before the writes; -1: leave it
  bool journaled = false;
  std::shared_ptr<const ObjectCommit> objects{};  // instead of writes
  bool incremental = false;                       // the next one does not say again what this one says
  // Set by apply(). Until then the format library reads these writes from memory; nullptr if it never reads.
  std::shared_ptr<std::atomic<bool>> applied{};
};

}  // namespace thalweg::block
