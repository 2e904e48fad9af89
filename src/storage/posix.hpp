// The few system calls on files that this folder makes, with their errors turned into texts that say what to do.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace thalweg::storage {

// Throws STORAGE: "cannot <action>: <cause>; <advice>". action names the path, and offset and bytes if it has any.
[[noreturn]] void fail_storage(const std::string& action, int error);

// An open file; closed with the object.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void close();  // whatever comes of it
  // For a file that holds data: what could not be written may be told only now. Throws STORAGE.
  void close(const std::string& path);

 private:
  int release();
  int fd_ = -1;
};

Descriptor open_file(const std::string& path, int flags, mode_t mode = 0666);
bool is_folder(const std::string& path);  // or a link to one
std::int64_t size_of_file(const Descriptor& file, const std::string& path);
void resize_file(const Descriptor& file, const std::string& path, std::int64_t bytes);

// Writes everything, through short writes and interrupts, and returns the number of calls. Changes `parts`.
std::int64_t write_all(const Descriptor& file, const std::string& path, std::int64_t offset, std::span<iovec> parts);
void write_all(const Descriptor& file, const std::string& path, std::int64_t offset, std::span<const std::byte> bytes);

// Reads up to the end of the file and returns the number of bytes.
std::int64_t read_all(const Descriptor& file, const std::string& path, std::int64_t offset, std::span<std::byte> bytes);

// What this process and others of its node wrote to the file is on stable storage. sync_data leaves out times and the
// like.
void sync_file(const std::string& path);
void sync_data(const Descriptor& file, const std::string& path);

// The names in the folder of a file are on stable storage. Errors: STORAGE.
void sync_folder_of(const std::string& path);

// A file that is kept at least as long as the format needs it, so that data written out of order, by any process,
// rarely change its length. Grows by an eighth more than asked: the calls are few, and the last transaction cuts the
// surplus off.
class GrowingFile {
 public:
  explicit GrowingFile(std::string path);
  void ensure(std::int64_t bytes);
  // The same, and the file is that long afterwards, also where there is no fallocate and the last bytes may never be
  // written. For who alone gives out places in the file, and has given out none beyond its length so far.
  void reach(std::int64_t bytes);
  std::int64_t bytes() const { return bytes_; }
  const Descriptor& descriptor() const { return file_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Descriptor file_;
  std::int64_t bytes_ = 0;
};

}  // namespace thalweg::storage
