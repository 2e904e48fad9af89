#include "formats/netcdf4/checked_file.hpp"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "formats/netcdf4/hdf5_driver_class.hpp"

namespace thalweg::formats::netcdf4 {

CheckedFile::CheckedFile(const std::string& path, Use use)
    : path_(path),
      use_(use),
      file_(storage::open_file(path, use == Use::reading ? O_RDONLY : O_RDWR)),
      end_(storage::size_of_file(file_, path)) {}

CheckedFile::~CheckedFile() {
  if (driver_ >= 0) H5FDunregister(driver_);
}

void CheckedFile::use_in(std::int64_t access) {
  driver_ = DriverClass<CheckedFile>::use_in(access, this, "thalweg-checked", path_);
}

void CheckedFile::check() const {
  if (refusal_) throw *refusal_;
}

void CheckedFile::close() {
  check();
  file_.close(path_);
}

template <typename Action>
bool CheckedFile::made(const Action& action) {
  if (refusal_) return false;
  try {
    action();
  } catch (const Error& error) {
    refusal_ = error;
  }
  return !refusal_;
}

bool CheckedFile::opened() {
  return !std::exchange(is_open_, true);
}

// Behind the end of a file HDF5 expects zeros.
bool CheckedFile::read(std::int64_t offset, std::span<std::byte> bytes) {
  return made([&] {
    const std::int64_t got = storage::read_all(file_, path_, offset, bytes);
    std::ranges::fill(bytes.subspan(static_cast<std::size_t>(got)), std::byte{0});
  });
}

void CheckedFile::write(int, std::int64_t offset, std::span<const std::byte> bytes) {
  if (use_ == Use::reading) return;
  made([&] {
    storage::write_all(file_, path_, offset, bytes);
    end_ = std::max(end_, offset + std::ssize(bytes));
  });
}

void CheckedFile::truncate() {
  if (use_ == Use::reading || end_ == allocated_) return;
  made([&] {
    storage::resize_file(file_, path_, allocated_);
    end_ = allocated_;
  });
}

}  // namespace thalweg::formats::netcdf4
