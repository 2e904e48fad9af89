// The one owner of a name. Who writes, recovers or publishes NAME holds the lock on NAME.lock meanwhile; a process that
// ends, however it ends, loses it. The file says who the owner is, for the message to whoever comes second.
//
// A file of its own, and not NAME.partial itself, because readers of a growing netCDF-4 file take locks on that (HDF5
// does), because a Zarr store is a folder, and because it is there before and after the file that it guards.
//
// Locks of open file descriptions (fcntl, F_OFD_SETLK) hold between all processes of a machine, and between machines on
// NFS (version 4, or 3 with its lock service) and on Lustre mounted with -o flock. Where the file system has none, that
// is said once, and only a living owner on the same machine is found, by its process number.
#pragma once

#include <string>

#include "store/posix.hpp"

namespace thalweg::store {

std::string lock_path(const std::string& path);  // "<path>.lock"

class NameLock {
 public:
  // Takes the name, or throws STORAGE saying who has it: host, process, since when. path: without ".partial".
  explicit NameLock(const std::string& path);
  ~NameLock();
  NameLock(const NameLock&) = delete;
  NameLock& operator=(const NameLock&) = delete;

 private:
  bool try_take();
  void refuse(const std::string& owner) const;
  void sign() const;

  std::string path_;
  std::string lock_path_;
  pid_t process_;
  Descriptor file_;
};

}  // namespace thalweg::store
