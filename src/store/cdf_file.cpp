#include "store/cdf_file.hpp"

#include <mpi.h>
#include <pnetcdf.h>

#include <array>
#include <limits>

#include "base/error.hpp"
#include "store/cdf_define.hpp"
#include "store/cdf_header.hpp"
#include "store/posix.hpp"
#include "store/scratch_file.hpp"

namespace thalweg::store {
namespace {

using catalog::Definition;

// What one header costs: defines it in memory with PnetCDF, and keeps the numbers the data are placed by.
class Header {
 public:
  Header(const std::string& path, const Definition& definition) : path_(path) {
    create(ScratchFile::Name(scratch_).path(), cdf_creation_mode(definition.format));
    define_cdf(id_, definition, path_);
    places = cdf_places(id_, definition, path_);
    const int id = std::exchange(id_, -1);
    check_cdf(ncmpi_close(id), "header", path_);
  }
  ~Header() {
    if (id_ >= 0) ncmpi_abort(id_);
  }
  Header(const Header&) = delete;
  Header& operator=(const Header&) = delete;

  void publish(const config::Striping& striping) const { scratch_.publish(path_, places.record_begin, striping); }

  CdfPlaces places;

 private:
  void create(const std::string& scratch_path, int mode) {
    check_cdf(ncmpi_create(MPI_COMM_SELF, scratch_path.c_str(), mode, MPI_INFO_NULL, &id_), "header", path_);
  }

  ScratchFile scratch_;
  const std::string& path_;
  int id_ = -1;
};

class CdfFile : public FormatFile {
 public:
  CdfFile(const std::string& path, int version, CdfPlaces places)
      : file_(path), version_(version), places_(std::move(places)) {}

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
  Transaction commit(std::int64_t records) override {
    std::array<std::byte, 8> bytes{};
    const std::size_t count = encode_cdf_record_count(version_, records, bytes);
    Transaction transaction{.records = records};
    if (places_.record_bytes > 0)
      transaction.writes.push_back(
          {cdf_record_count_offset, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)}});
    return transaction;
  }

  Transaction close(std::int64_t records) override {
    Transaction transaction = commit(records);
    transaction.file_bytes = places_.end_of(records);
    return transaction;
  }

 private:
  GrowingFile file_;
  int version_;
  CdfPlaces places_;
};

}  // namespace

std::unique_ptr<FormatFile> create_cdf(const std::string& path, const Definition& definition) {
  const Header header(path, definition);
  header.publish(definition.striping);
  return std::make_unique<CdfFile>(path, cdf_version(definition.format), header.places);
}

}  // namespace thalweg::store
