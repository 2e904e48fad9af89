#include "mpiio/pnetcdf_define.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.hpp"
#include "block/block_map.hpp"
#include "formats/cdf/header.hpp"
#include "formats/checksum_attribute.hpp"
#include "mpiio/pnetcdf_library.hpp"

namespace thalweg::mpiio {
namespace {

using catalog::Attribute;
using catalog::Definition;
using catalog::Variable;

nc_type type_of(Type type) {
  constexpr std::array<nc_type, 12> types = {NC_NAT,    NC_BYTE, NC_SHORT,  NC_INT,   NC_INT64,  NC_UBYTE,
                                             NC_USHORT, NC_UINT, NC_UINT64, NC_FLOAT, NC_DOUBLE, NC_CHAR};
  return types[static_cast<std::size_t>(type)];
}

class Definer {
 public:
  Definer(int id, const Definition& definition, const std::string& path)
      : id_(id), definition_(definition), path_(path) {}

  void define() {
    int record = -1;
    if (!definition_.record_dimension.empty())
      check(pnetcdf().def_dim(id_, definition_.record_dimension.c_str(), NC_UNLIMITED, &record), "record dimension");
    for (const catalog::Dimension& dimension : definition_.dimensions)
      check(pnetcdf().def_dim(id_, dimension.name.c_str(), dimension.size, &dimensions_.emplace_back()),
            fmt::format("dimension '{}'", dimension.name));
    for (const Variable& variable : definition_.variables) define_variable(variable, record);
    for (const Attribute& attribute : definition_.attributes) put(NC_GLOBAL, attribute, "the file");
    // The places of formats/cdf/encode_header.cpp.
    const std::int64_t reserve = definition_.header_reserve + formats::header_bytes_of_checksums(definition_);
    check(pnetcdf()._enddef(id_, reserve, block::page_bytes, 0, block::page_bytes), "header");
  }

 private:
  void check(int status, const std::string& what) const { check_cdf(status, what, path_); }

  void define_variable(const Variable& variable, int record) {
    std::vector<int> ids;
    if (variable.has_record) ids.push_back(record);
    for (int d : variable.dimensions) ids.push_back(dimensions_[static_cast<std::size_t>(d)]);
    int id = 0;
    check(pnetcdf().def_var(id_, variable.name.c_str(), type_of(variable.type), static_cast<int>(ids.size()),
                            ids.data(), &id),
          fmt::format("variable '{}'", variable.name));
    for (const Attribute& attribute : variable.attributes) put(id, attribute, variable.name);
  }

  void put(int variable, const Attribute& attribute, const std::string& owner) {
    const auto bytes = attribute.bytes();
    const auto count = static_cast<MPI_Offset>(bytes.size() / size_of(attribute.element_type()));
    check(pnetcdf().put_att(id_, variable, attribute.name.c_str(), type_of(attribute.element_type()), count,
                            bytes.data()),
          fmt::format("attribute '{}' of {}", attribute.name, owner));
  }

  int id_;
  const Definition& definition_;
  const std::string& path_;
  std::vector<int> dimensions_;
};

// What is wrong lies in the file, not in what was defined.
bool is_of_storage(int status) {
  constexpr std::array of_storage = {NC_EFILE, NC_EREAD, NC_EWRITE, NC_EOFILE, NC_ENO_SPACE, NC_EQUOTA};
  return std::ranges::find(of_storage, status) != of_storage.end();
}

}  // namespace

int cdf_creation_mode(config::Format format) {
  const int version = formats::cdf::cdf_version(format);
  return NC_CLOBBER | (version == 5 ? NC_64BIT_DATA : version == 2 ? NC_64BIT_OFFSET : 0);
}

void check_cdf(int status, const std::string& what, const std::string& path) {
  if (is_of_storage(status))
    fail(THALWEG_ERROR_STORAGE, "PnetCDF cannot write the {} of '{}': {}", what, path, pnetcdf().strerror(status));
  if (status != NC_NOERR)
    fail(THALWEG_ERROR_FORMAT, "PnetCDF refuses the {} of '{}': {}", what, path, pnetcdf().strerror(status));
}

void define_cdf(int id, const Definition& definition, const std::string& path) {
  Definer(id, definition, path).define();
}

formats::cdf::CdfPlaces cdf_places(int id, const Definition& definition, const std::string& path) {
  formats::cdf::CdfPlaces places;
  MPI_Offset value = 0;
  check_cdf(pnetcdf().inq_recsize(id, &value), "size of a record", path);
  places.record_bytes = value;
  check_cdf(pnetcdf().inq_header_extent(id, &value), "extent of the header", path);
  std::int64_t fixed_end = value;
  std::int64_t first_record = std::numeric_limits<std::int64_t>::max();
  for (std::size_t v = 0; v < definition.variables.size(); ++v) {
    const Variable& variable = definition.variables[v];
    check_cdf(pnetcdf().inq_varoffset(id, static_cast<int>(v), &value), "place of a variable", path);
    places.begins.push_back(value);
    const auto bytes = definition.shape(variable).product() * static_cast<std::int64_t>(size_of(variable.type));
    if (variable.has_record)
      first_record = std::min<std::int64_t>(first_record, value);
    else
      fixed_end = std::max<std::int64_t>(fixed_end, value + (bytes + 3) / 4 * 4);
  }
  places.record_begin = places.record_bytes > 0 ? first_record : fixed_end;
  return places;
}

}  // namespace thalweg::mpiio
