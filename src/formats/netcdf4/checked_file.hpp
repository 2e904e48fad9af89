// A file that HDF5 reads, or changes in place, by Thalweg's own calls to the storage.
//
// HDF5 goes on using what it has freed where the system refuses to write or to close a file, and the process ends by
// it, at some later call or when it finalizes. Here HDF5 hears of no such refusal; whoever has the file open does.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/error.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats::netcdf4 {

// Outlives HDF5's handle of it.
class CheckedFile {
 public:
  enum class Use { reading, changing };

  CheckedFile(const std::string& path, Use use);  // Errors: STORAGE
  ~CheckedFile();
  CheckedFile(const CheckedFile&) = delete;
  CheckedFile& operator=(const CheckedFile&) = delete;

  // Makes HDF5 open its file through this object; `access` is the id of an HDF5 file access property list.
  void use_in(std::int64_t access);

  const storage::Descriptor& descriptor() const { return file_; }

  // Throws the first refusal, if there was one. Errors: STORAGE.
  void check() const;
  // When HDF5 has closed the file: all that it wrote is with the system. Errors: STORAGE.
  void close();

  // Requests of HDF5.
  bool opened();  // false: it is open already, so that one is meant that a virtual dataset shows
  void closed() {}
  bool read(std::int64_t offset, std::span<std::byte> bytes);
  static int kind_of(int type) { return type; }
  void write(int kind, std::int64_t offset, std::span<const std::byte> bytes);
  std::int64_t allocated() const { return allocated_; }
  void allocate(std::int64_t bytes) { allocated_ = bytes; }
  std::int64_t end() const { return end_; }
  void truncate();

 private:
  template <typename Action>
  bool made(const Action& action);  // false: it was refused, now or earlier

  std::string path_;
  Use use_;
  storage::Descriptor file_;
  std::int64_t end_;
  std::int64_t allocated_ = 0;  // end of what HDF5 has allocated
  bool is_open_ = false;
  std::int64_t driver_ = -1;  // id of HDF5
  std::optional<Error> refusal_;
};

}  // namespace thalweg::formats::netcdf4
