#include <fcntl.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>

#include "base/error.hpp"
#include "base/log.hpp"
#include "formats/cdf/file.hpp"
#include "formats/cdf/header.hpp"
#include "storage/journal.hpp"

namespace thalweg::formats::cdf {
namespace {

// Whole file in the address space, read-only: headers have no length that is known beforehand. Private, because some
// file systems share no mapping (FUSE with direct_io, 9p).
class Mapping {
 public:
  Mapping(const storage::Descriptor& file, const std::string& path)
      : bytes_(static_cast<std::size_t>(storage::size_of_file(file, path))),
        address_(::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file.get(), 0)) {
    if (address_ == MAP_FAILED) storage::fail_storage(fmt::format("map '{}' into memory", path), errno);
  }
  ~Mapping() { ::munmap(address_, bytes_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(address_), bytes_}; }

 private:
  std::size_t bytes_;
  void* address_;
};

}  // namespace

// The header says how many records are whole; a file shorter than that holds fewer.
std::int64_t recover_cdf(const std::string& path, bool /*had_owner*/) {
  storage::apply_left_journal(path, storage::JournaledFile::of_any_length);
  const storage::Descriptor file = storage::open_file(path, O_RDWR | O_NOFOLLOW);
  const Mapping mapping(file, path);
  const CdfLayout layout = read_cdf_layout(mapping.bytes(), path);
  const std::int64_t size = storage::size_of_file(file, path);
  if (size < layout.record_begin)
    fail(THALWEG_ERROR_FORMAT,
         "'{}' is a CDF-{} file of {} bytes, but its fixed-size variables alone reach up to byte {}: it was cut short; "
         "take it from a copy",
         path, layout.version, size, layout.record_begin);
  std::int64_t records = layout.records;
  if (layout.record_bytes == 0 && read_cdf_header(mapping.bytes(), path).definition.record_dimension.empty())
    refuse_without_records(path);
  if (layout.record_bytes == 0) return records;
  records = std::min(records, (size - layout.record_begin) / layout.record_bytes);
  if (records < layout.records) {
    log::warning("'{}' says it has {} records, but is long enough for {}", path, layout.records, records);
    std::array<std::byte, 8> bytes{};
    const std::size_t count = encode_cdf_record_count(layout.version, records, bytes);
    storage::write_all(file, path, cdf_record_count_offset, std::span<const std::byte>(bytes).first(count));
  }
  if (size != layout.bytes(records)) storage::resize_file(file, path, layout.bytes(records));
  return records;
}

}  // namespace thalweg::formats::cdf
