#include "formats/cdf/file.hpp"

#include <array>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "formats/cdf/encode_header.hpp"
#include "formats/cdf/header.hpp"
#include "formats/checksum_attribute.hpp"
#include "formats/late_attributes.hpp"
#include "storage/new_file.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats::cdf {
namespace {

using catalog::Definition;

class CdfFile : public FormatFile {
 public:
  CdfFile(const std::string& path, const Definition& definition, CdfPlaces places)
      : file_(path), version_(cdf_version(definition.format)), places_(std::move(places)), whole_(definition) {}

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
    add_checksums(whole_, sums);
    has_changed_ = true;
  }

  void give(std::span<const catalog::GivenAttribute> given) override {
    add_attributes(whole_, given);
    has_changed_ = true;
  }

  block::Transaction close(std::int64_t records) override {
    block::Transaction transaction = commit(records);
    transaction.file_bytes = places_.end_of(records);
    if (has_changed_) replace_header(transaction);
    return transaction;
  }

 private:
  // Attributes move all that lies behind them in the header: no page of it alone is a header. The journal makes the
  // pages one.
  void replace_header(block::Transaction& transaction) const {
    const std::int64_t counted = places_.record_bytes > 0 ? transaction.records : 0;
    EncodedHeader header = encode_cdf_header(whole_, counted, file_.path());
    if (header.places != places_)
      fail(THALWEG_ERROR_INTERNAL, "the attributes of '{}' would move its data", file_.path());
    transaction.writes = {{0, std::move(header.bytes)}};
    transaction.journaled = true;
  }

  storage::GrowingFile file_;
  int version_;
  CdfPlaces places_;
  Definition whole_;  // of the complete file, which may have more than the growing one
  bool has_changed_ = false;
};

}  // namespace

std::unique_ptr<FormatFile> create_cdf(const std::string& path, const Definition& definition,
                                       config::Durability /*durability*/) {
  EncodedHeader header = encode_cdf_header(definition, 0, path);
  const block::MetadataWrite write{0, std::move(header.bytes)};
  storage::make_file(path, std::span(&write, 1), header.places.record_begin, definition.striping);
  return std::make_unique<CdfFile>(path, definition, std::move(header.places));
}

}  // namespace thalweg::formats::cdf
