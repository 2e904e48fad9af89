// A file in memory that a format library fills with a header, before the real file exists.
//
// Why: the library's own way to storage is MPI-IO, which leaves lock and side files beside some files, reads a colon in
// a path as a file system's name, and costs a collective open. Here it meets none of that: its file has no name but for
// the moment of opening, is gone with the process, and only the finished header reaches the real path.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "storage/posix.hpp"

namespace thalweg::storage {

class ScratchFile {
 public:
  ScratchFile();
  // Where this process, and only this one, can open the file. Not for MPI-IO, which wants a Name.
  const std::string& path() const { return path_; }

  // Another path to the file, gone with the object, whose last part no other file ever has: Open MPI's MPI-IO (4.1.4)
  // calls a semaphore of the whole machine after it (/dev/shm/sem.OMPIO_*), waits for that without a limit, and leaves
  // it behind, taken, where a job is killed at that moment.
  class Name {
   public:
    explicit Name(const ScratchFile& file);
    ~Name();
    Name(const Name&) = delete;
    Name& operator=(const Name&) = delete;
    const std::string& path() const { return path_; }

   private:
    std::string path_;
  };

  void write(std::span<const std::byte> bytes) const;     // from the beginning on
  std::vector<std::byte> read(std::int64_t bytes) const;  // the first ones
  // Creates the real file (which must not exist) with the same content, holes stay holes, and at least that many bytes.
  void publish(const std::string& path, std::int64_t least_bytes, const config::Striping& striping) const;

 private:
  void fill(const Descriptor& real, const std::string& path, std::int64_t least_bytes) const;
  Descriptor file_;
  std::string path_;
};

}  // namespace thalweg::storage
