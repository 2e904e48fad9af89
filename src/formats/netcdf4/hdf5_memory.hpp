// A file of HDF5 in memory, by a driver that opens no second file.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace thalweg::formats::netcdf4 {

// Outlives HDF5's handle of it.
class MemoryFile {
 public:
  explicit MemoryFile(std::vector<std::byte> bytes = {}) : bytes_(std::move(bytes)), allocated_(std::ssize(bytes_)) {}
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  // Makes HDF5 open this file, whatever the name; `access` is the id of an HDF5 file access property list.
  void use_in(std::int64_t access);
  std::span<const std::byte> bytes() const { return bytes_; }  // when HDF5 has closed it

  // Requests of HDF5.
  bool opened();  // false: it is open already, so that another one is meant
  void closed() { is_open_ = false; }
  static int kind_of(int type) { return type; }
  bool read(std::int64_t offset, std::span<std::byte> bytes) const;
  void write(int kind, std::int64_t offset, std::span<const std::byte> bytes);
  std::int64_t allocated() const { return allocated_; }
  void allocate(std::int64_t bytes) { allocated_ = bytes; }
  std::int64_t end() const { return static_cast<std::int64_t>(bytes_.size()); }
  void truncate() { bytes_.resize(static_cast<std::size_t>(allocated_)); }

 private:
  std::vector<std::byte> bytes_;
  std::int64_t allocated_ = 0;  // end of what HDF5 has allocated
  bool is_open_ = false;
  std::int64_t driver_ = -1;  // id of HDF5
};

}  // namespace thalweg::formats::netcdf4
