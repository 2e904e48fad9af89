#include "store/cdf_file.hpp"

#include <mpi.h>
#include <pnetcdf.h>

#include <array>
#include <limits>

#include "base/error.hpp"
#include "store/block_map.hpp"
#include "store/cdf_header.hpp"
#include "store/posix.hpp"
#include "store/scratch_file.hpp"

namespace thalweg::store {
namespace {

using catalog::Attribute;
using catalog::Definition;
using catalog::Variable;

int version_of(config::Format format) {
  return format == config::Format::cdf1 ? 1 : format == config::Format::cdf2 ? 2 : 5;
}

int creation_mode(int version) {
  return NC_CLOBBER | (version == 5 ? NC_64BIT_DATA : version == 2 ? NC_64BIT_OFFSET : 0);
}

nc_type type_of(Type type) {
  constexpr std::array<nc_type, 11> types = {NC_NAT,    NC_BYTE, NC_SHORT,  NC_INT,   NC_INT64, NC_UBYTE,
                                             NC_USHORT, NC_UINT, NC_UINT64, NC_FLOAT, NC_DOUBLE};
  return types[static_cast<std::size_t>(type)];
}

// What one header costs: defines it in memory with PnetCDF, and keeps the numbers the data are placed by.
class Header {
 public:
  Header(const std::string& path, const Definition& definition) : path_(path), definition_(definition) {
    create(ScratchFile::Name(scratch_).path());
    define();
    // Room to grow is left in the header; both sections start on a page, so that direct writes need no partial page.
    check(ncmpi__enddef(id_, definition.header_reserve, page_bytes, 0, page_bytes), "header");
    inquire();
    const int id = std::exchange(id_, -1);
    check(ncmpi_close(id), "header");
  }
  ~Header() {
    if (id_ >= 0) ncmpi_abort(id_);
  }
  Header(const Header&) = delete;
  Header& operator=(const Header&) = delete;

  void publish(std::int64_t bytes) const { scratch_.publish(path_, bytes); }

  std::vector<std::int64_t> begins;
  std::int64_t record_bytes = 0;
  std::int64_t record_begin = 0;

 private:
  void create(const std::string& scratch_path) {
    const int mode = creation_mode(version_of(definition_.format));
    check(ncmpi_create(MPI_COMM_SELF, scratch_path.c_str(), mode, MPI_INFO_NULL, &id_), "header");
  }

  void check(int status, const std::string& what) const {
    if (status != NC_NOERR)
      fail(THALWEG_ERROR_FORMAT, "PnetCDF refuses the {} of '{}': {}", what, path_, ncmpi_strerror(status));
  }

  void define() {
    std::vector<int> dimensions;
    int record = -1;
    if (!definition_.record_dimension.empty())
      check(ncmpi_def_dim(id_, definition_.record_dimension.c_str(), NC_UNLIMITED, &record), "record dimension");
    for (const catalog::Dimension& dimension : definition_.dimensions)
      check(ncmpi_def_dim(id_, dimension.name.c_str(), dimension.size, &dimensions.emplace_back()),
            fmt::format("dimension '{}'", dimension.name));
    for (const Variable& variable : definition_.variables) define_variable(variable, record, dimensions);
    for (const Attribute& attribute : definition_.attributes) put(NC_GLOBAL, attribute, "the file");
  }

  void define_variable(const Variable& variable, int record, const std::vector<int>& dimensions) {
    std::vector<int> ids;
    if (variable.has_record) ids.push_back(record);
    for (int d : variable.dimensions) ids.push_back(dimensions[static_cast<std::size_t>(d)]);
    int id = 0;
    check(ncmpi_def_var(id_, variable.name.c_str(), type_of(variable.type), static_cast<int>(ids.size()), ids.data(),
                        &id),
          fmt::format("variable '{}'", variable.name));
    for (const Attribute& attribute : variable.attributes) put(id, attribute, variable.name);
  }

  void put(int variable, const Attribute& attribute, const std::string& owner) {
    const auto what = fmt::format("attribute '{}' of {}", attribute.name, owner);
    if (!attribute.type)
      check(
          ncmpi_put_att_text(id_, variable, attribute.name.c_str(), std::ssize(attribute.text), attribute.text.data()),
          what);
    else
      check(ncmpi_put_att(id_, variable, attribute.name.c_str(), type_of(*attribute.type),
                          std::ssize(attribute.values) / static_cast<MPI_Offset>(size_of(*attribute.type)),
                          attribute.values.data()),
            what);
  }

  void inquire() {
    MPI_Offset value = 0;
    check(ncmpi_inq_recsize(id_, &value), "size of a record");
    record_bytes = value;
    check(ncmpi_inq_header_extent(id_, &value), "extent of the header");
    std::int64_t fixed_end = value;
    std::int64_t first_record = std::numeric_limits<std::int64_t>::max();
    for (std::size_t v = 0; v < definition_.variables.size(); ++v) {
      const Variable& variable = definition_.variables[v];
      check(ncmpi_inq_varoffset(id_, static_cast<int>(v), &value), "place of a variable");
      begins.push_back(value);
      const auto bytes = definition_.shape(variable).product() * static_cast<std::int64_t>(size_of(variable.type));
      if (variable.has_record)
        first_record = std::min<std::int64_t>(first_record, value);
      else
        fixed_end = std::max<std::int64_t>(fixed_end, value + (bytes + 3) / 4 * 4);
    }
    record_begin = record_bytes > 0 ? first_record : fixed_end;
  }

  ScratchFile scratch_;
  const std::string& path_;
  const Definition& definition_;
  int id_ = -1;
};

class CdfFile : public FormatFile {
 public:
  CdfFile(const std::string& path, int version, Header&& header)
      : file_(path),
        version_(version),
        begins_(std::move(header.begins)),
        record_bytes_(header.record_bytes),
        record_begin_(header.record_begin) {}

  void extend(std::int64_t records) override {
    if (version_ != 5 && records > std::numeric_limits<std::int32_t>::max())
      fail(THALWEG_ERROR_FORMAT, "'{}' would get {} records, but CDF-{} holds 2147483647; cdf5 and netcdf4 hold more",
           file_.path(), records, version_);
    file_.ensure(end_of(records));
  }

  std::int64_t offset(int variable, std::int64_t record, std::int64_t) const override {
    const std::int64_t begin = begins_[static_cast<std::size_t>(variable)];
    return begin < record_begin_ || record_bytes_ == 0 ? begin : begin + record * record_bytes_;
  }

  // The record count is one aligned number in the first page: it is written whole or not at all.
  Transaction commit(std::int64_t records) override {
    std::array<std::byte, 8> bytes{};
    const std::size_t count = encode_cdf_record_count(version_, records, bytes);
    Transaction transaction{.records = records};
    if (record_bytes_ > 0)
      transaction.writes.push_back(
          {cdf_record_count_offset, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)}});
    return transaction;
  }

  Transaction close(std::int64_t records) override {
    Transaction transaction = commit(records);
    transaction.file_bytes = end_of(records);
    return transaction;
  }

 private:
  std::int64_t end_of(std::int64_t records) const { return record_begin_ + records * record_bytes_; }

  GrowingFile file_;
  int version_;
  std::vector<std::int64_t> begins_;
  std::int64_t record_bytes_;
  std::int64_t record_begin_;
};

}  // namespace

std::unique_ptr<FormatFile> create_cdf(const std::string& path, const Definition& definition) {
  Header header(path, definition);
  header.publish(header.record_begin);
  return std::make_unique<CdfFile>(path, version_of(definition.format), std::move(header));
}

}  // namespace thalweg::store
