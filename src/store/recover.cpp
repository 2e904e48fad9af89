#include <fcntl.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <filesystem>

#include "base/error.hpp"
#include "base/log.hpp"
#include "store/cdf_header.hpp"
#include "store/first_bytes.hpp"
#include "store/format_file.hpp"
#include "store/fortran_file.hpp"
#include "store/journal.hpp"
#include "store/netcdf4_file.hpp"
#include "store/zarr_file.hpp"

namespace thalweg::store {
namespace {

// Whole file in the address space, read-only: headers have no length that is known beforehand. Private, because some
// file systems share no mapping (FUSE with direct_io, 9p).
class Mapping {
 public:
  Mapping(const Descriptor& file, const std::string& path)
      : bytes_(static_cast<std::size_t>(size_of_file(file, path))),
        address_(::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file.get(), 0)) {
    if (address_ == MAP_FAILED) fail_storage(fmt::format("map '{}' into memory", path), errno);
  }
  ~Mapping() { ::munmap(address_, bytes_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(address_), bytes_}; }

 private:
  std::size_t bytes_;
  void* address_;
};

std::string printable(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    const auto letter = std::to_integer<unsigned char>(byte);
    text += letter >= 32 && letter < 127 ? std::string(1, static_cast<char>(letter)) : fmt::format("\\x{:02x}", letter);
  }
  return text;
}

// A killed run may have been replacing the metadata.
void apply_journal(const std::string& path) {
  if (const auto transaction = take_journal(path)) {
    Mover mover(path, config::DirectIo::off);
    apply(mover, *transaction, nullptr, true);
  }
}

// The header says how many records are whole; a file shorter than that holds fewer.
std::int64_t recover_cdf(const std::string& path) {
  apply_journal(path);
  const Descriptor file = open_file(path, O_RDWR | O_NOFOLLOW);
  const CdfLayout layout = read_cdf_layout(Mapping(file, path).bytes(), path);
  const std::int64_t size = size_of_file(file, path);
  if (size < layout.record_begin)
    fail(THALWEG_ERROR_FORMAT,
         "'{}' is a CDF-{} file of {} bytes, but its fixed-size variables alone reach up to byte {}: it was cut short; "
         "take it from a copy",
         path, layout.version, size, layout.record_begin);
  std::int64_t records = layout.records;
  if (layout.record_bytes == 0) return records;
  records = std::min(records, (size - layout.record_begin) / layout.record_bytes);
  if (records < layout.records) {
    log::warning("'{}' says it has {} records, but is long enough for {}", path, layout.records, records);
    std::array<std::byte, 8> bytes{};
    const std::size_t count = encode_cdf_record_count(layout.version, records, bytes);
    write_all(file, path, cdf_record_count_offset, std::span<const std::byte>(bytes).first(count));
  }
  if (size != layout.bytes(records)) resize_file(file, path, layout.bytes(records));
  return records;
}

std::int64_t recover_netcdf4(const std::string& path, bool had_owner) {
  const bool has_journal = std::filesystem::exists(journal_path(path));
  apply_journal(path);
  return cut_netcdf4(path, has_journal || had_owner);
}

std::int64_t recover_file(const std::string& path, bool had_owner) {
  const Descriptor file = open_file(path, O_RDONLY | O_NOFOLLOW);
  const FirstBytes begin = first_bytes(file, path);
  if (begin.is_cdf()) return recover_cdf(path);
  if (begin.is_hdf5()) return recover_netcdf4(path, had_owner);
  if (std::filesystem::exists(journal_path(path))) return recover_fortran(path);
  fail(THALWEG_ERROR_FORMAT,
       "'{}' is neither a netCDF classic (CDF-1, 2, 5) nor a netCDF-4 (HDF5) file, nor the folder of a Zarr store, nor "
       "is it Fortran unformatted with committed records, beside which '{}' would lie: it has {} bytes and starts with "
       "\"{}\"; name a file that Thalweg was writing",
       path, journal_path(path), size_of_file(file, path),
       printable(std::span(begin.bytes).first(static_cast<std::size_t>(begin.count))));
}

}  // namespace

std::int64_t recover(const std::string& path, bool had_owner) {
  if (is_folder(path)) return recover_zarr(path);
  const std::int64_t records = recover_file(path, had_owner);
  sync_file(path);
  return records;
}

}  // namespace thalweg::store
