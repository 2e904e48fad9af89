// The calls of thalweg_netcdf.h.
#include "thalweg_netcdf.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "api/arguments.hpp"
#include "api/collective_call.hpp"
#include "api/funnel.hpp"
#include "api/handles.hpp"

using namespace thalweg;

namespace {

// Whose session a file is. Numbers are never given twice, so that one that is stale says so.
class NumbersOfFiles {
 public:
  int make(thalweg_session* session) {
    const std::lock_guard lock(mutex_);
    sessions_[next_] = session;
    return next_++;
  }
  bool has(int number) const {
    const std::lock_guard lock(mutex_);
    return sessions_.contains(number);
  }
  thalweg_session* session_of(int number) const {
    const std::lock_guard lock(mutex_);
    const auto found = sessions_.find(number);
    if (found == sessions_.end())
      fail(THALWEG_ERROR_ARGUMENT,
           "{} is the number of no file that thalweg_nc_create (nf90_create) has made; if netCDF itself opened it "
           "(nf90_open), it is there to be read, and is put by netCDF's own calls",
           number);
    return found->second;
  }

 private:
  mutable std::mutex mutex_;
  int next_ = 1;
  std::map<int, thalweg_session*> sessions_;
};

NumbersOfFiles& numbers() {
  static auto* const all = new NumbersOfFiles();  // a program may call behind the end of its static objects
  return *all;
}

netcdf::Files& files_of(thalweg_session* handle) {
  session::Session& session = api::session_in(handle);
  if (!handle->files) handle->files = std::make_unique<netcdf::Files>(session);
  return *handle->files;
}

netcdf::Files& files_with(int ncid) {
  return files_of(numbers().session_of(ncid));
}

netcdf::File& file(int ncid) {
  return files_with(ncid).at(ncid);
}

// call(files): collective, or a put that may be.
template <typename Call>
int collective(const char* name, int ncid, const Call& call) {
  return api::funnel(profile::MpiPhase::advance, [&] {
    thalweg_session* const session = numbers().session_of(ncid);
    netcdf::Files& files = files_of(session);
    const api::CollectiveCall in(api::session_in(session), name, files.at(ncid).name().path);
    call(files);
  });
}

// name: room for THALWEG_NC_MAX_NAME and the end of the text; null: it is not asked for.
void tell(const std::string& text, char* name) {
  if (name == nullptr) return;
  const std::size_t length = std::min<std::size_t>(text.size(), THALWEG_NC_MAX_NAME);
  text.copy(name, length);
  name[length] = '\0';
}

template <typename Value, typename To>
void tell(Value value, To* to) {
  if (to != nullptr) *to = static_cast<To>(value);
}

// In the order of netCDF's numbers, from 1 on.
constexpr std::array numbered_types = {Type::int8,    Type::character, Type::int16, Type::int32,
                                       Type::float32, Type::float64,   Type::uint8, Type::uint16,
                                       Type::uint32,  Type::int64,     Type::uint64};

Type type_of(thalweg_nc_type number) {
  if (number < 1 || number > static_cast<int>(numbered_types.size()))
    fail(THALWEG_ERROR_ARGUMENT,
         "type is {}, which is none of NC_BYTE (nf90_byte, 1) to NC_UINT64 (nf90_uint64, 11) of netCDF", number);
  return numbered_types.at(static_cast<std::size_t>(number) - 1);
}

thalweg_nc_type number_of(Type type) {
  return static_cast<int>(std::ranges::find(numbered_types, type) - numbered_types.begin()) + 1;
}

// What the calls of thalweg.h take.
int type_given(thalweg_nc_type number) {
  return static_cast<int>(type_of(number));
}

std::int64_t size_given(const char* name, std::int64_t size) {
  if (size < 0)
    fail(THALWEG_ERROR_SHAPE, "dimension '{}' has {} elements; give at least 1, or 0 (NC_UNLIMITED, nf90_unlimited)",
         name, size);
  return size == THALWEG_NC_UNLIMITED ? THALWEG_UNLIMITED : size;
}

netcdf::Given given(int count, const std::int64_t* values, const char* name) {
  if (count <= 0) return std::nullopt;
  api::required(values, name);
  const int used = std::min(count, max_rank);  // those of the fastest dimensions; no variable has more
  return api::index_of(values + (count - used), used);
}

}  // namespace

int thalweg_nc_create(thalweg_session* session, const char* path, int mode, int* ncid) {
  bool is_kept = false;
  const int code = api::funnel([&] {
    netcdf::Files& files = files_of(session);
    const int number = numbers().make(session);
    try {
      files.create(number, api::text_or_empty(path), mode);
    } catch (const netcdf::FileIsKept&) {
      is_kept = true;
      throw;
    }
    api::required(ncid, "ncid") = number;
  });
  return is_kept ? THALWEG_NC_EEXIST : code;
}

int thalweg_nc_def_dim(int ncid, const char* name, int64_t size, int* dimid) {
  return api::funnel([&] {
    netcdf::Declared& declared = file(ncid).to_declare("a dimension");
    const int number = declared.define_dimension(api::required_text(name, "name"), size_given(name, size));
    if (dimid != nullptr) *dimid = number;
  });
}

int thalweg_nc_def_var(int ncid, const char* name, thalweg_nc_type type, int ndims, const int* dimids, int* varid) {
  return api::funnel([&] {
    netcdf::Declared& declared = file(ncid).to_declare("a variable");
    if (ndims < 0) fail(THALWEG_ERROR_ARGUMENT, "a variable of {} dimensions; give 0 for a scalar, or more", ndims);
    if (ndims > 0) api::required(dimids, "dimids");
    const std::vector<int> dimensions(dimids, dimids + ndims);
    const int number = declared.define_variable(api::required_text(name, "name"), type_of(type), dimensions);
    if (varid != nullptr) *varid = number;
  });
}

int thalweg_nc_def_var_deflate(int ncid, int varid, int shuffle, int level) {
  return api::funnel([&] {
    if (level < 0 || level > 9) fail(THALWEG_ERROR_ARGUMENT, "a deflate level of {}; 0 to 9 are possible", level);
    file(ncid).to_declare("compression").set_deflate(varid, {level, shuffle != 0});
  });
}

int thalweg_nc_put_att(int ncid, int varid, const char* name, thalweg_nc_type type, int count, const void* values) {
  return api::funnel([&] { file(ncid).give(varid, api::attribute_of(name, type_given(type), count, values)); });
}

int thalweg_nc_put_vara(int ncid, int varid, int starts, const int64_t* start, int counts, const int64_t* count,
                        const void* data, thalweg_nc_type type, int rank, const int64_t* extent,
                        const int64_t* stride) {
  return collective("nf90_put_var (thalweg_nc_put_vara)", ncid, [&](netcdf::Files& files) {
    files.at(ncid).put(varid, given(starts, start, "start"), given(counts, count, "count"),
                       api::field_of(data, type_given(type), rank, extent, stride));
  });
}

int thalweg_nc_sync(int ncid) {
  return collective("nf90_sync (thalweg_nc_sync)", ncid, [&](netcdf::Files& files) { files.at(ncid).sync(); });
}

int thalweg_nc_close(int ncid) {
  return collective("nf90_close (thalweg_nc_close)", ncid, [&](netcdf::Files& files) { files.close(ncid); });
}

int thalweg_nc_inq_own(int ncid, int* own) {
  return api::funnel([&] { api::required(own, "own") = numbers().has(ncid) ? 1 : 0; });
}

int thalweg_nc_inq(int ncid, int* ndims, int* nvars, int* natts, int* unlimited) {
  return api::funnel([&] {
    const netcdf::Declared& declared = file(ncid).declared();
    tell(declared.dimensions().size(), ndims);
    tell(declared.variables().size(), nvars);
    tell(declared.attributes().size(), natts);
    tell(declared.record_dimension(), unlimited);
  });
}

int thalweg_nc_inq_format(int ncid, int* format) {
  return api::funnel([&] { api::required(format, "format") = file(ncid).name().format_number; });
}

int thalweg_nc_inq_dim(int ncid, int dimid, char* name, int64_t* size) {
  return api::funnel([&] {
    const netcdf::File& of = file(ncid);
    const catalog::Dimension& dimension = of.declared().dimension(dimid);
    tell(dimension.name, name);
    tell(dimid == of.declared().record_dimension() ? of.records() : dimension.size, size);
  });
}

int thalweg_nc_inq_var(int ncid, int varid, char* name, thalweg_nc_type* type, int* ndims, int* dimids, int* natts) {
  return api::funnel([&] {
    const netcdf::Declared& declared = file(ncid).declared();
    const netcdf::Variable& variable = declared.variable(varid);
    const std::vector<int> dimensions = declared.dimensions_of(varid);
    tell(variable.name, name);
    tell(number_of(variable.type), type);
    tell(dimensions.size(), ndims);
    tell(variable.attributes.size(), natts);
    if (dimids != nullptr) std::ranges::copy(dimensions, dimids);
  });
}

int thalweg_nc_inq_attname(int ncid, int varid, int number, char* name) {
  return api::funnel([&] { tell(file(ncid).declared().attribute(varid, number).name, name); });
}

int thalweg_nc_inq_att(int ncid, int varid, const char* name, thalweg_nc_type* type, int* count) {
  return api::funnel([&] {
    const catalog::Attribute& attribute = file(ncid).declared().attribute(varid, api::required_text(name, "name"));
    tell(number_of(attribute.element_type()), type);
    tell(attribute.bytes().size() / size_of(attribute.element_type()), count);
  });
}

int thalweg_nc_inq_dimid(int ncid, const char* name, int* dimid) {
  return api::funnel(
      [&] { api::required(dimid, "dimid") = file(ncid).declared().find_dimension(api::required_text(name, "name")); });
}

int thalweg_nc_inq_varid(int ncid, const char* name, int* varid) {
  return api::funnel(
      [&] { api::required(varid, "varid") = file(ncid).declared().find_variable(api::required_text(name, "name")); });
}
