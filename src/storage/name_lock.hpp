// The one owner of a name. Who writes, recovers or publishes NAME holds the lock on NAME.lock meanwhile; a process that
// ends, however it ends, loses it. The file says who the owner is, for the message to whoever comes second.
//
// A file of its own, and not NAME.partial itself, because readers of a growing netCDF-4 file take locks on that (HDF5
// does), because a Zarr store is a folder, and because it is there before and after the file that it guards.
//
// It has one owner and any number of writers of the same job, on other nodes or in other processes: each holds a share
// for as long as it has the file open. Who wants to own the name waits for neither: it is refused while one of them
// lives, also if the owner has ended and a writer that was stopped meanwhile has not noticed.
//
// Locks of open file descriptions (fcntl, F_OFD_SETLK) hold between all processes of a machine, and between machines on
// NFS (version 4, or 3 with its lock service) and on Lustre mounted with -o flock. Where the file system has none, that
// is said once, and only a living owner on the same machine is found, by its process number.
#pragma once

#include <string>

#include "storage/posix.hpp"

namespace thalweg::storage {

std::string lock_path(const std::string& path);  // "<path>.lock"

// Who writes the name, or has it open for writing: "host …, process …, since …". Empty: nobody, as far as can be seen;
// what a killed run left has no owner. path: without ".partial". Errors: STORAGE where the lock cannot be read.
std::string living_owner(const std::string& path);

class NameLock {
 public:
  // Takes the name, or throws STORAGE saying who has it: host, process, since when. Waits up to two seconds for an
  // owner, and as long for writers, who may just have been killed. path: without ".partial". session_id: of the run,
  // whose other writers may take shares; empty: there are none.
  explicit NameLock(const std::string& path, std::string session_id = "");
  ~NameLock();
  NameLock(const NameLock&) = delete;
  NameLock& operator=(const NameLock&) = delete;

 private:
  bool try_take();
  void refuse(const std::string& owner) const;
  void refuse_for_writer(const std::string& owner) const;
  void sign() const;

  std::string path_;
  std::string lock_path_;
  std::string session_id_;
  pid_t process_;
  Descriptor file_;
};

// What a writer that does not own the name holds while it has the file open under its partial name.
class SharedNameLock {
 public:
  // Takes the share, or throws STORAGE: the owner, of the same run, has left, and somebody else has the name or may
  // take it. path: without ".partial".
  SharedNameLock(const std::string& path, const std::string& session_id);
  ~SharedNameLock();
  SharedNameLock(const SharedNameLock&) = delete;
  SharedNameLock& operator=(const SharedNameLock&) = delete;

 private:
  std::string lock_path_;
  pid_t process_;
  Descriptor file_;
};

}  // namespace thalweg::storage
