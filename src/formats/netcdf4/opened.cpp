#include "formats/netcdf4/opened.hpp"

#include <array>
#include <cerrno>
#include <optional>

#include "base/error.hpp"
#include "formats/netcdf4/hdf5_filters.hpp"
#include "formats/netcdf4/hdf5_handle.hpp"
#include "formats/netcdf4/letting_go.hpp"
#include "formats/netcdf4/library_turn.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

using catalog::Attribute;
using Name = std::array<char, NC_MAX_NAME + 1>;

// Nothing: strings, and types of the user's own.
std::optional<Type> known_type(nc_type type) {
  for (int t = THALWEG_INT8; t <= THALWEG_CHAR; ++t)
    if (netcdf_type(static_cast<Type>(t)) == type) return static_cast<Type>(t);
  return std::nullopt;
}

// Whether netCDF-C has made the file: what it says of fill values is then so. Others, as h5py, may have HDF5 never fill
// what has a fill value, which netCDF-C does not tell.
bool is_by_netcdf(int file) {
  constexpr const char* made_by = "_NCProperties";
  std::size_t length = 0;
  nc_type type = NC_NAT;
  if (nc().inq_att(file, NC_GLOBAL, made_by, &type, &length) != NC_NOERR || type != NC_CHAR) return false;
  std::string text(length, ' ');
  if (nc().get_att(file, NC_GLOBAL, made_by, text.data()) != NC_NOERR) return false;
  return text.find(",netcdf=") != std::string::npos || text.find("|netcdflibversion=") != std::string::npos;
}

}  // namespace

Opened::Opened(const std::string& path, Unreadable unreadable) : path_(path), unreadable_(unreadable) {
  const LibraryTurn turn(fmt::format("open '{}'", path));
  make_filters_known();
  const std::vector<hid_t> before = files_open_now();
  // With the first file of all, netCDF-C has HDF5 say nothing any more: then it is heard at a second attempt.
  std::string reason;
  int status = NC_EHDFERR;
  for (int attempt = 0; attempt < 2 && status != NC_NOERR && reason.empty(); ++attempt) {
    const Hdf5Reason hdf5;
    status = nc().open(path.c_str(), NC_NOWRITE, &id_);
    reason = hdf5.text();
  }
  check(status, "the file", reason);
  file_ = file_opened_since(before);
  fills_as_said_ = is_by_netcdf(id_);
}

Opened::~Opened() {
  // What cannot be closed stays open: that is better than to wait for ever.
  const LibraryTurn turn(fmt::format("close '{}'", path_), LibraryTurn::Late::goes_without);
  if (!turn) return;
  let_go_of_storage(file_);
  nc().close(id_);
}

void Opened::check(int status, const std::string& what, const std::string& reason) const {
  if (status == NC_NOERR) return;
  const bool is_of_system = status > 0;
  fail(is_of_system ? THALWEG_ERROR_STORAGE : THALWEG_ERROR_FORMAT, "netCDF cannot read {} of '{}': {}{}{}", what,
       path_, nc().strerror(status), reason.empty() ? "" : fmt::format(" ({})", reason),
       status == EMFILE ? "; close inputs, or raise the limit of open files (ulimit -n)" : "");
}

void Opened::beyond(const std::string& what) const {
  fail(THALWEG_ERROR_FORMAT, "'{}': {}, which Thalweg does not read", path_, what);
}

std::vector<int> Opened::groups_in(int group) const {
  int count = 0;
  check(nc().inq_grps(group, &count, nullptr), "the groups");
  std::vector<int> groups(static_cast<std::size_t>(count));
  check(nc().inq_grps(group, &count, groups.data()), "the groups");
  return groups;
}

std::string Opened::name_of_group(int group) const {
  Name name{};
  check(nc().inq_grpname(group, name.data()), "a group");
  return name.data();
}

std::vector<int> Opened::dimensions_in(int group) const {
  constexpr int of_parents = 0;
  int count = 0;
  check(nc().inq_dimids(group, &count, nullptr, of_parents), "the dimensions");
  std::vector<int> own(static_cast<std::size_t>(count));
  check(nc().inq_dimids(group, &count, own.data(), of_parents), "the dimensions");
  return own;
}

std::vector<int> Opened::unlimited_in(int group) const {
  int count = 0;
  check(nc().inq_unlimdims(group, &count, nullptr), "the dimensions");
  std::vector<int> unlimited(static_cast<std::size_t>(count));
  check(nc().inq_unlimdims(group, &count, unlimited.data()), "the dimensions");
  return unlimited;
}

catalog::Dimension Opened::dimension(int id, int group) const {
  Name name{};
  std::size_t size = 0;
  check(nc().inq_dim(group, id, name.data(), &size), "a dimension");
  return {name.data(), static_cast<std::int64_t>(size)};
}

int Opened::variables_in(int group) const {
  int variables = 0;
  check(nc().inq(group, nullptr, &variables, nullptr, nullptr), "the header");
  return variables;
}

SaidOfVariable Opened::variable(const Place& place) const {
  Name name{};
  std::array<int, NC_MAX_VAR_DIMS> ids{};
  int rank = 0;
  SaidOfVariable said;
  check(nc().inq_var(place.group, place.variable, name.data(), &said.type, &rank, ids.data(), &said.attributes),
        "a variable");
  int without_fill = 0;
  check(nc().inq_var_fill(place.group, place.variable, &without_fill, nullptr), "the fill value of a variable");
  said.is_filled = without_fill == 0 && fills_as_said_;
  said.name = name.data();
  said.dimensions.assign(ids.begin(), ids.begin() + rank);
  return said;
}

void Opened::add_attribute(const Place& of, int number, const std::string& what,
                           std::vector<Attribute>& attributes) const {
  Name name{};
  nc_type type = NC_NAT;
  std::size_t length = 0;
  check(nc().inq_attname(of.group, of.variable, number, name.data()), "an attribute");
  check(nc().inq_att(of.group, of.variable, name.data(), &type, &length), "an attribute");
  const std::string which = fmt::format("attribute '{}' of {}", name.data(), what);
  const auto known = known_type(type);
  if (!known && !leaves_out()) beyond(fmt::format("{} has the netCDF type {}", which, type));
  if (type == NC_STRING && length == 1) {  // as h5py writes every text
    char* text = nullptr;
    check(nc().get_att_string(of.group, of.variable, name.data(), &text), which);
    attributes.push_back(catalog::text_attribute(name.data(), text == nullptr ? "" : text));
    nc().free_string(length, &text);
  }
  if (!known) return;
  std::vector<std::byte> values(length * size_of(*known));
  check(nc().get_att(of.group, of.variable, name.data(), values.data()), which);
  attributes.push_back(catalog::attribute_of(name.data(), *known, values));
}

std::vector<Attribute> Opened::attributes(const Place& of, int count, const std::string& what) const {
  std::vector<Attribute> attributes;
  for (int a = 0; a < count; ++a) add_attribute(of, a, what, attributes);
  return attributes;
}

std::vector<unsigned> Opened::filters(const Place& place, const std::string& what) const {
  std::size_t count = 0;
  check(nc().inq_var_filter_ids(place.group, place.variable, &count, nullptr), "the filters of " + what);
  std::vector<unsigned> ids(count);
  check(nc().inq_var_filter_ids(place.group, place.variable, &count, ids.data()), "the filters of " + what);
  return ids;
}

// Others than those that put bytes in another order, or only check them.
bool Opened::has_codec(const Place& place, const std::string& what) const {
  return std::ranges::any_of(filters(place, what),
                             [](unsigned id) { return id != H5Z_FILTER_SHUFFLE && id != H5Z_FILTER_FLETCHER32; });
}

void Opened::require_filters(const Place& place, const std::string& what) const {
  for (const unsigned id : filters(place, what))
    if (!is_known_filter(id))
      fail(THALWEG_ERROR_FORMAT,
           "'{}': {} went through HDF5's filter {}, which is not here; name a folder that has it as a plug-in by "
           "HDF5_PLUGIN_PATH, or rewrite the file with deflate ('nccopy -d 1 IN OUT', where the plug-in is)",
           path_, what, filter_words(id));
}

Type Opened::type_of(nc_type type, int group, const std::string& what) const {
  if (const auto known = known_type(type)) return *known;
  Name name{};
  check(nc().inq_type(group, type, name.data(), nullptr), "a type");
  beyond(fmt::format("{} has the netCDF type {} ('{}'{})", what, type, name.data(),
                     type >= NC_FIRSTUSERTYPEID ? ", of the user's own" : ""));
}

}  // namespace thalweg::formats::netcdf4
