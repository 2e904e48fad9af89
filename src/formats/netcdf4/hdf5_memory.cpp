#include "formats/netcdf4/hdf5_memory.hpp"

#include <algorithm>
#include <utility>

#include "formats/netcdf4/hdf5_driver_class.hpp"

namespace thalweg::formats::netcdf4 {

void MemoryFile::use_in(std::int64_t access) {
  driver_ = DriverClass<MemoryFile>::use_in(access, this, "thalweg-memory", "a file in memory");
}

MemoryFile::~MemoryFile() {
  if (driver_ >= 0) H5FDunregister(driver_);
}

bool MemoryFile::opened() {
  return !std::exchange(is_open_, true);
}

bool MemoryFile::read(std::int64_t offset, std::span<std::byte> bytes) const {
  const auto begin = std::min<std::size_t>(static_cast<std::size_t>(offset), bytes_.size());
  const auto there = std::span(bytes_).subspan(begin, std::min(bytes.size(), bytes_.size() - begin));
  std::ranges::copy(there, bytes.begin());
  std::ranges::fill(bytes.subspan(there.size()), std::byte{0});
  return true;
}

void MemoryFile::write(int, std::int64_t offset, std::span<const std::byte> bytes) {
  const auto begin = static_cast<std::size_t>(offset);
  bytes_.resize(std::max(bytes_.size(), begin + bytes.size()));
  std::ranges::copy(bytes, std::span(bytes_).subspan(begin).begin());
}

}  // namespace thalweg::formats::netcdf4
