// Reads CDF-1, CDF-2 and CDF-5 files: the header says where values are, pread gets them.
#include <fcntl.h>

#include <algorithm>
#include <vector>

#include "base/box_runs.hpp"
#include "base/element_bits.hpp"
#include "base/error.hpp"
#include "formats/cdf/file.hpp"
#include "formats/cdf/header.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats::cdf {
namespace {

// Headers have no length that is known beforehand: more is read until it is enough.
CdfHeader read_header(const storage::Descriptor& file, const std::string& path) {
  const std::int64_t size = storage::size_of_file(file, path);
  for (std::int64_t bytes = 64 << 10;; bytes *= 8) {
    std::vector<std::byte> first(static_cast<std::size_t>(std::min(bytes, size)));
    storage::read_all(file, path, 0, first);
    try {
      return read_cdf_header(first, path);
    } catch (const Error&) {
      if (bytes >= size) throw;
    }
  }
}

std::int64_t begin_of(const CdfHeader& header, int v, std::int64_t record) {
  return header.begins[static_cast<std::size_t>(v)] + record * header.layout.record_bytes;
}

// Of the last value, padding left out: not every library writes it.
std::int64_t end_of(const CdfHeader& header) {
  const std::int64_t records = header.layout.records;
  std::int64_t last = 0;
  for (int v = 0; v < std::ssize(header.begins); ++v) {
    const catalog::Variable& variable = header.definition.variable(v);
    if (variable.has_record && records == 0) continue;
    const std::int64_t bytes =
        header.definition.shape(variable).product() * static_cast<std::int64_t>(size_of(variable.type));
    last = std::max(last, begin_of(header, v, variable.has_record ? records - 1 : 0) + bytes);
  }
  return last;
}

class CdfReadable : public ReadableFile {
 public:
  explicit CdfReadable(const std::string& path)
      : path_(path), file_(storage::open_file(path, O_RDONLY)), header_(read_header(file_, path)) {
    if (!header_.beyond.empty())
      fail(THALWEG_ERROR_FORMAT, "'{}': {}, which Thalweg does not read", path, header_.beyond);
    const std::int64_t size = storage::size_of_file(file_, path);
    if (size < end_of(header_))
      fail(THALWEG_ERROR_FORMAT,
           "'{}' has {} bytes, but by its header its values reach up to byte {}: it was cut short", path, size,
           end_of(header_));
  }

  const catalog::Definition& definition() const override { return header_.definition; }
  std::int64_t records() const override { return header_.layout.records; }

  void read(int v, std::int64_t record, const Box& box, std::span<std::byte> values) override {
    read_as_stored(v, record, box, values);
    swap_bytes(values, size_of(header_.definition.variable(v).type));
  }

  std::endian read_as_stored(int v, std::int64_t record, const Box& box, std::span<std::byte> values) override {
    const catalog::Variable& variable = header_.definition.variable(v);
    const auto element_bytes = static_cast<std::int64_t>(size_of(variable.type));
    const std::int64_t begin = begin_of(header_, v, variable.has_record ? record : 0);
    std::span<std::byte> left = values;
    for_each_run(whole(header_.definition.shape(variable)), box, [&](std::int64_t offset, std::int64_t cells) {
      const auto bytes = static_cast<std::size_t>(cells * element_bytes);
      read_run(begin + offset * element_bytes, left.first(bytes));
      left = left.subspan(bytes);
    });
    return std::endian::big;
  }

 private:
  void read_run(std::int64_t offset, std::span<std::byte> bytes) const {
    if (storage::read_all(file_, path_, offset, bytes) != std::ssize(bytes))
      fail(THALWEG_ERROR_STORAGE, "'{}' ends before byte {}: it was cut short while it was read", path_,
           offset + std::ssize(bytes));
  }

  std::string path_;
  storage::Descriptor file_;
  CdfHeader header_;
};

}  // namespace

std::unique_ptr<ReadableFile> open_readable_cdf(const std::string& path, Unreadable /*unreadable*/) {
  return std::make_unique<CdfReadable>(path);
}

FileLength length_of_cdf(const std::string& path) {
  const CdfHeader header = read_header(storage::open_file(path, O_RDONLY), path);
  constexpr std::int64_t not_said = 0xffffffff;  // (source: classic format specification, "STREAMING")
  if (header.layout.version != 5 && header.layout.records == not_said)
    fail(THALWEG_ERROR_FORMAT, "'{}' does not say how many records it has (a stream that was never closed)", path);
  return {end_of(header), header.layout.records, header.layout.record_begin, header.layout.record_bytes};
}

}  // namespace thalweg::formats::cdf
