// Reads CDF-1, CDF-2 and CDF-5 files: the header says where values are, pread gets them.
#include <fcntl.h>

#include <algorithm>
#include <vector>

#include "base/element_bits.hpp"
#include "base/error.hpp"
#include "formats/cdf/file.hpp"
#include "formats/cdf/header.hpp"
#include "formats/row_reading.hpp"
#include "storage/file_identity.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats::cdf {
namespace {

// Headers have no length that is known beforehand: more is read until it is enough, but never as much as a large file
// has whose header is broken.
CdfHeader read_header(const storage::Descriptor& file, const std::string& path) {
  constexpr std::int64_t longest = std::int64_t{1} << 30;
  const std::int64_t size = std::min(storage::size_of_file(file, path), longest);
  for (std::int64_t bytes = 64 << 10;; bytes *= 8) {
    std::vector<std::byte> first(static_cast<std::size_t>(std::min(bytes, size)));
    storage::read_all(file, path, 0, first);
    try {
      return read_cdf_header(first, path);
    } catch (const HeaderGoesOn&) {
      if (bytes >= size) throw;
    }
  }
}

std::int64_t begin_of(const CdfHeader& header, int v, std::int64_t record) {
  return header.begins[static_cast<std::size_t>(v)] + record * header.layout.record_bytes;
}

class CdfReadable : public ReadableFile {
 public:
  CdfReadable(const std::string& path, Unreadable unreadable)
      : path_(path),
        file_(storage::open_file(path, O_RDONLY)),
        is_watched_(unreadable == Unreadable::leave_out),
        version_(storage::version_of(file_)),
        header_(read_header(file_, path)) {
    const std::int64_t size = storage::size_of_file(file_, path);
    if (header_.is_stream) {
      header_.layout.records = header_.records_in(size);
      header_.end = header_.end_with(header_.layout.records);
    }
    if (size < header_.end)
      fail(THALWEG_ERROR_FORMAT,
           "'{}' has {} bytes, but by its header its values reach up to byte {}: it was cut short", path, size,
           header_.end);
    leave_out_what_is_beyond(unreadable);
  }

  const catalog::Definition& definition() const override { return header_.definition; }
  std::int64_t records() const override { return header_.layout.records; }
  std::vector<LeftOut> left_out() const override { return left_out_; }
  std::string version() const override { return version_; }

  void read(int v, std::int64_t record, const Box& box, std::span<std::byte> values) override {
    read_as_stored(v, record, box, values);
    swap_bytes(values, size_of(header_.definition.variable(v).type));
  }

  std::endian read_as_stored(int v, std::int64_t record, const Box& box, std::span<std::byte> values) override {
    const catalog::Variable& variable = header_.definition.variable(v);
    const std::int64_t begin = begin_of(header_, v, variable.has_record ? record : 0);
    read_rows(whole(header_.definition.shape(variable)), box, variable.type, rows_, values,
              [&](std::int64_t offset, std::span<std::byte> bytes) { read_run(begin + offset, bytes); });
    require_unchanged();
    return std::endian::big;
  }

 private:
  // Of a file that its writer goes on with, a record of before would be taken together with one of after.
  void require_unchanged() const {
    if (!is_watched_ || storage::version_of(file_) == version_) return;
    const std::int64_t bytes = storage::size_of_file(file_, path_);
    if (bytes < header_.end)
      fail(THALWEG_ERROR_STORAGE,
           "'{}' has {} bytes, and its values reach up to byte {}: it was cut short while it was read", path_, bytes,
           header_.end);
    fail(THALWEG_ERROR_FORMAT, "'{}' has changed since it was opened; close the input, and open it again", path_);
  }

  void leave_out_what_is_beyond(Unreadable unreadable) {
    std::vector<catalog::Variable>& variables = header_.definition.variables;
    for (std::size_t v = variables.size(); v-- > 0;) {
      if (std::ssize(variables[v].dimensions) <= max_rank) continue;
      const std::string why = fmt::format("'{}': variable '{}' has {} dimensions, which Thalweg does not read", path_,
                                          variables[v].name, variables[v].dimensions.size());
      if (unreadable == Unreadable::refuse) fail(THALWEG_ERROR_FORMAT, "{}", why);
      left_out_.push_back({variables[v].name, why});
      variables.erase(variables.begin() + static_cast<std::ptrdiff_t>(v));
      header_.begins.erase(header_.begins.begin() + static_cast<std::ptrdiff_t>(v));
    }
  }

  void read_run(std::int64_t offset, std::span<std::byte> bytes) const {
    if (storage::read_all(file_, path_, offset, bytes) != std::ssize(bytes))
      fail(THALWEG_ERROR_STORAGE, "'{}' ends before byte {}: it was cut short while it was read", path_,
           offset + std::ssize(bytes));
  }

  std::string path_;
  storage::Descriptor file_;
  bool is_watched_;
  std::string version_;
  CdfHeader header_;
  std::vector<LeftOut> left_out_;
  RawBytes rows_;
};

}  // namespace

std::unique_ptr<ReadableFile> open_readable_cdf(const std::string& path, Unreadable unreadable) {
  return std::make_unique<CdfReadable>(path, unreadable);
}

FileLength length_of_cdf(const std::string& path) {
  const CdfHeader header = read_header(storage::open_file(path, O_RDONLY), path);
  if (header.is_stream)
    fail(THALWEG_ERROR_FORMAT, "'{}' does not say how many records it has (a stream that was never closed)", path);
  return {header.end, header.layout.records, header.layout.record_begin, header.layout.record_bytes};
}

}  // namespace thalweg::formats::cdf
