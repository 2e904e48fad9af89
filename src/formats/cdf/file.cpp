#include "formats/cdf/file.hpp"

#include <mpi.h>
#include <pnetcdf.h>

#include <array>
#include <limits>

#include "base/error.hpp"
#include "formats/cdf/define.hpp"
#include "formats/cdf/header.hpp"
#include "formats/checksum_attribute.hpp"
#include "storage/posix.hpp"
#include "storage/scratch_file.hpp"

namespace thalweg::formats::cdf {
namespace {

using catalog::Definition;

// What one header costs: defines it in memory with PnetCDF, and keeps the numbers the data are placed by.
class Header {
 public:
  Header(const std::string& path, const Definition& definition) : path_(path) {
    create(storage::ScratchFile::Name(scratch_).path(), cdf_creation_mode(definition.format));
    define_cdf(id_, definition, path_);
    places = cdf_places(id_, definition, path_);
    MPI_Offset bytes = 0;
    check_cdf(ncmpi_inq_header_size(id_, &bytes), "size of the header", path_);
    bytes_ = bytes;
    const int id = std::exchange(id_, -1);
    check_cdf(ncmpi_close(id), "header", path_);
  }
  ~Header() {
    if (id_ >= 0) ncmpi_abort(id_);
  }
  Header(const Header&) = delete;
  Header& operator=(const Header&) = delete;

  void publish(const config::Striping& striping) const { scratch_.publish(path_, places.record_begin, striping); }

  // As it is in a file with that many records.
  std::vector<std::byte> bytes(int version, std::int64_t records) const {
    std::vector<std::byte> bytes = scratch_.read(bytes_);
    encode_cdf_record_count(version, records, std::span(bytes).subspan<cdf_record_count_offset, 8>());
    return bytes;
  }

  CdfPlaces places;

 private:
  void create(const std::string& scratch_path, int mode) {
    check_cdf(ncmpi_create(MPI_COMM_SELF, scratch_path.c_str(), mode, MPI_INFO_NULL, &id_), "header", path_);
  }

  storage::ScratchFile scratch_;
  const std::string& path_;
  int id_ = -1;
  std::int64_t bytes_ = 0;  // without the room behind it
};

class CdfFile : public FormatFile {
 public:
  CdfFile(const std::string& path, const Definition& definition, CdfPlaces places)
      : file_(path), version_(cdf_version(definition.format)), places_(std::move(places)) {
    if (header_bytes_of_checksums(definition) > 0) whole_ = definition;
  }

  void extend(std::int64_t records) override {
    if (version_ != 5 && records > std::numeric_limits<std::int32_t>::max())
      fail(THALWEG_ERROR_FORMAT, "'{}' would get {} records, but CDF-{} holds 2147483647; cdf5 and netcdf4 hold more",
           file_.path(), records, version_);
    file_.ensure(places_.end_of(records));
  }

  std::int64_t offset(int variable, std::int64_t record, std::int64_t) const override {
    const std::int64_t begin = places_.begins[static_cast<std::size_t>(variable)];
    return begin < places_.record_begin ? begin : begin + record * places_.record_bytes;
  }

  // The record count is one aligned number in the first page: it is written whole or not at all.
  block::Transaction commit(std::int64_t records) override {
    std::array<std::byte, 8> bytes{};
    const std::size_t count = encode_cdf_record_count(version_, records, bytes);
    block::Transaction transaction{.records = records};
    if (places_.record_bytes > 0)
      transaction.writes.push_back(
          {cdf_record_count_offset, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)}});
    return transaction;
  }

  void set_checksums(const block::FileSums& sums) override {
    add_checksums(*whole_, sums);
    has_checksums_ = true;
  }

  block::Transaction close(std::int64_t records) override {
    block::Transaction transaction = commit(records);
    transaction.file_bytes = places_.end_of(records);
    if (has_checksums_) replace_header(transaction);
    return transaction;
  }

 private:
  // Attributes move all that lies behind them in the header: no page of it alone is a header. The journal makes the
  // pages one.
  void replace_header(block::Transaction& transaction) const {
    const Header header(file_.path(), *whole_);
    if (header.places != places_)
      fail(THALWEG_ERROR_INTERNAL, "the checksums of '{}' would move its data", file_.path());
    transaction.writes = {{0, header.bytes(version_, places_.record_bytes > 0 ? transaction.records : 0)}};
    transaction.journaled = true;
  }

  storage::GrowingFile file_;
  int version_;
  CdfPlaces places_;
  std::optional<Definition> whole_;  // of the complete file, if that has more than the growing one
  bool has_checksums_ = false;
};

}  // namespace

std::unique_ptr<FormatFile> create_cdf(const std::string& path, const Definition& definition,
                                       config::Durability /*durability*/) {
  const Header header(path, definition);
  header.publish(definition.striping);
  return std::make_unique<CdfFile>(path, definition, header.places);
}

}  // namespace thalweg::formats::cdf
