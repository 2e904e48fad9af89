// Reads netCDF-4 files through netCDF-C.
#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "base/countable.hpp"
#include "base/error.hpp"
#include "formats/netcdf4/file.hpp"
#include "formats/netcdf4/format.hpp"
#include "formats/netcdf4/hdf5_filters.hpp"
#include "formats/netcdf4/library.hpp"
#include "formats/netcdf4/library_turn.hpp"
#include "storage/file_identity.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

using catalog::Attribute;
using catalog::Definition;
using catalog::Variable;
using Name = std::array<char, NC_MAX_NAME + 1>;

// A decompressed chunk of a few megabytes is kept, so that a record that is read piece by piece is decompressed once.
constexpr std::size_t chunk_cache_bytes = std::size_t{4} << 20;

class Netcdf4Readable : public ReadableFile {
 public:
  Netcdf4Readable(const std::string& path, Unreadable unreadable) : path_(path), unreadable_(unreadable) {
    definition_.format = netcdf4.description;
    const LibraryTurn turn;
    make_filters_known();
    check(nc().open(path.c_str(), NC_NOWRITE, &id_), "the file");
    version_ = storage::version_at(path);
    try {
      read_header();
    } catch (...) {
      nc().close(id_);
      throw;
    }
  }
  ~Netcdf4Readable() override {
    const LibraryTurn turn;
    nc().close(id_);
  }

  const Definition& definition() const override { return definition_; }
  std::int64_t records() const override { return records_; }
  std::vector<LeftOut> left_out() const override { return left_out_; }
  std::string version() const override { return version_; }
  bool shows_others() const override { return shows_others_; }

  void read(int v, std::int64_t record, const Box& box, std::span<std::byte> values) override {
    const Variable& variable = definition_.variable(v);
    std::vector<std::size_t> start(box.start.begin(), box.start.end());
    std::vector<std::size_t> count(box.count.begin(), box.count.end());
    if (variable.has_record) {
      start.insert(start.begin(), static_cast<std::size_t>(record));
      count.insert(count.begin(), 1);
    }
    const LibraryTurn turn;
    check(nc().get_vara(id_, ids_[static_cast<std::size_t>(v)], start.data(), count.data(), values.data()),
          fmt::format("record {}, box {} of variable '{}'", record, to_string(box), variable.name));
  }

 private:
  void check(int status, const std::string& what) const {
    if (status != NC_NOERR)
      fail(THALWEG_ERROR_FORMAT, "netCDF cannot read {} of '{}': {}", what, path_, nc().strerror(status));
  }
  [[noreturn]] void beyond(const std::string& what) const {
    fail(THALWEG_ERROR_FORMAT, "'{}': {}, which Thalweg does not read", path_, what);
  }

  void read_header() {
    int variables = 0, attributes = 0, groups = 0;
    check(nc().inq(id_, nullptr, &variables, &attributes, nullptr), "the header");
    check(nc().inq_grps(id_, &groups, nullptr), "the groups");
    if (groups > 0 && !leaves_out()) beyond(fmt::format("it has {} groups", groups));
    read_dimensions();
    for (int v = 0; v < variables; ++v) add_variable(v);
    definition_.attributes = read_attributes(NC_GLOBAL, attributes, "the file");
  }

  // Ids of dimensions go through all groups, so those of this one need not be the first.
  void read_dimensions() {
    int unlimited = 0;
    int record = -1;
    int count = 0;
    constexpr int of_parents = 0;
    check(nc().inq_dimids(id_, &count, nullptr, of_parents), "the dimensions");
    std::vector<int> own(static_cast<std::size_t>(count));
    check(nc().inq_dimids(id_, &count, own.data(), of_parents), "the dimensions");
    check(nc().inq_unlimdims(id_, &unlimited, nullptr), "the dimensions");
    if (unlimited > 1 && !leaves_out()) beyond(fmt::format("it has {} unlimited dimensions", unlimited));
    std::vector<int> all(static_cast<std::size_t>(unlimited));
    check(nc().inq_unlimdims(id_, &unlimited, all.data()), "the dimensions");
    if (!all.empty()) record = *std::ranges::min_element(all);
    for (const int d : own) {
      Name name{};
      std::size_t size = 0;
      check(nc().inq_dim(id_, d, name.data(), &size), "a dimension");
      in_definition_[d] = static_cast<int>(definition_.dimensions.size());
      if (d == record) {
        in_definition_[d] = -1;
        definition_.record_dimension = name.data();
        records_ = static_cast<std::int64_t>(size);
      } else {
        definition_.dimensions.push_back({name.data(), static_cast<std::int64_t>(size)});
      }
    }
  }

  void add_variable(int v) {
    Variable variable;
    try {
      read_variable(v, variable);
    } catch (const Error& error) {
      if (!leaves_out()) throw;
      left_out_.push_back({variable.name, error.what()});
      return;
    }
    definition_.variables.push_back(std::move(variable));
    ids_.push_back(v);
  }

  void read_variable(int v, Variable& variable) {
    Name name{};
    std::array<int, NC_MAX_VAR_DIMS> ids{};
    nc_type type = NC_NAT;
    int rank = 0, attributes = 0;
    check(nc().inq_var(id_, v, name.data(), &type, &rank, ids.data(), &attributes), "a variable");
    variable.name = name.data();
    const auto what = fmt::format("variable '{}'", variable.name);
    for (int i = 0; i < rank; ++i) {
      const auto known = in_definition_.find(ids[static_cast<std::size_t>(i)]);
      if (known == in_definition_.end()) beyond(what + " has a dimension that is none of the file's");
      const int d = known->second;
      if (d >= 0)
        variable.dimensions.push_back(d);
      else if (i == 0)
        variable.has_record = true;
      else
        beyond(what + " has the record dimension in another place than the first");
    }
    if (std::ssize(variable.dimensions) > max_rank) beyond(fmt::format("{} has {} dimensions", what, rank));
    if (!is_countable(definition_.shape(variable))) beyond(what + " has more bytes than are counted");
    const auto known = type_of(type);
    if (!known) beyond(fmt::format("{} has the netCDF type {}", what, type));
    variable.type = *known;
    variable.attributes = read_attributes(v, attributes, what);
    read_storage(v, variable);
  }

  void read_storage(int v, Variable& variable) {
    int storage = NC_CONTIGUOUS;
    std::vector<std::size_t> chunk(static_cast<std::size_t>(max_rank) + 1, 0);
    check(nc().inq_var_chunking(id_, v, &storage, chunk.data()), "the chunks of a variable");
    shows_others_ |= storage != NC_CONTIGUOUS && storage != NC_CHUNKED && storage != NC_COMPACT;
    if (!variable.has_record) return;
    variable.chunk = definition_.shape(variable);
    if (storage != NC_CHUNKED) return;  // virtual
    variable.chunk_records = static_cast<std::int64_t>(chunk.front());
    for (int i = 0; i < variable.chunk.rank(); ++i)
      variable.chunk[i] = static_cast<std::int64_t>(chunk[static_cast<std::size_t>(i) + 1]);
    check(nc().set_var_chunk_cache(id_, v, chunk_cache_bytes, 1009, 0.75F), "the chunks of a variable");
  }

  std::vector<Attribute> read_attributes(int v, int count, const std::string& owner) const {
    std::vector<Attribute> attributes;
    for (int a = 0; a < count; ++a) {
      Name name{};
      nc_type type = NC_NAT;
      std::size_t length = 0;
      check(nc().inq_attname(id_, v, a, name.data()), "an attribute");
      check(nc().inq_att(id_, v, name.data(), &type, &length), "an attribute");
      const auto known = type_of(type);
      if (!known && leaves_out()) continue;
      if (!known) beyond(fmt::format("attribute '{}' of {} has the netCDF type {}", name.data(), owner, type));
      std::vector<std::byte> values(length * size_of(*known));
      check(nc().get_att(id_, v, name.data(), values.data()), fmt::format("attribute '{}'", name.data()));
      attributes.push_back(catalog::attribute_of(name.data(), *known, values));
    }
    return attributes;
  }

  // Nothing: strings, and types of the user's own.
  static std::optional<Type> type_of(nc_type type) {
    for (int t = THALWEG_INT8; t <= THALWEG_CHAR; ++t)
      if (netcdf_type(static_cast<Type>(t)) == type) return static_cast<Type>(t);
    return std::nullopt;
  }

  bool leaves_out() const { return unreadable_ == Unreadable::leave_out; }

  std::string path_;
  Unreadable unreadable_;
  std::string version_;
  int id_ = -1;
  std::vector<int> ids_;  // of the variables of the definition
  std::vector<LeftOut> left_out_;
  bool shows_others_ = false;
  Definition definition_;
  std::int64_t records_ = 0;
  std::map<int, int> in_definition_;  // of each dimension of the file, by its id; -1: the record dimension
};

}  // namespace

std::unique_ptr<ReadableFile> open_readable_netcdf4(const std::string& path, Unreadable unreadable) {
  return std::make_unique<Netcdf4Readable>(path, unreadable);
}

}  // namespace thalweg::formats::netcdf4
