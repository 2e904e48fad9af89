// How files end: they get their names, or nothing is left of them.
#pragma once

#include <cstdint>
#include <optional>

#include "block/summed_files.hpp"

namespace thalweg::block {

// Which file it is, whatever its name.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t born_ns = 0;  // since 1970; 0 where the file system does not say

  // The device may have another number after the next start of the machine.
  bool is_same_inode(const FileIdentity& other) const { return inode == other.inode && born_ns == other.born_ns; }
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

class Publication {
 public:
  virtual ~Publication() = default;

  // Whether a file of so many records must not take the name: it could have some and has none, and what has the name is
  // complete.
  virtual bool spares_complete(std::int64_t records) const = 0;
  // The complete file gets its name. By any thread. Whether its checksums, if there are some, lie beside it.
  virtual bool publish(const FileIdentity& written, bool durable,
                       const std::optional<Checksums>& checksums = {}) const = 0;
  // The file is removed, because nothing is in it.
  virtual void discard() const = 0;
  // The same for want of a record. A complete one of the name stays, which is said.
  virtual void give_up() const = 0;
};

// Of the whole of a set, when all parts have their names.
class SetPublication {
 public:
  virtual ~SetPublication() = default;
  virtual void publish() const = 0;
  virtual void discard() const = 0;
};

}  // namespace thalweg::block
