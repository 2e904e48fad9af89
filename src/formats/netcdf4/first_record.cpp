#include "formats/netcdf4/first_record.hpp"

#include "formats/netcdf4/hdf5_library.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.hpp"
#include "formats/netcdf4/checked_file.hpp"
#include "formats/netcdf4/hdf5_filters.hpp"
#include "formats/netcdf4/hdf5_handle.hpp"
#include "formats/netcdf4/hdf5_header.hpp"
#include "storage/file_identity.hpp"
#include "storage/part_name.hpp"
#include "transform/filter.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info1_t;
#else
using ObjectInfo = H5O_info_t;
#endif

constexpr std::size_t longest_text = 4096;
constexpr hsize_t longest_chunk = hsize_t{1} << 26;  // values
constexpr std::size_t most_links = 100'000;

// A dimension of the file, by the dataset that stands for it; or the extents of another dataset.
struct Scale {
  std::string name;
  std::vector<hsize_t> extents;
  bool is_unlimited = false;
};

class FirstRecordReader {
 public:
  explicit FirstRecordReader(const std::string& path) : path_(path), stored_(path, CheckedFile::Use::reading) {
    const Handle access(checked(H5Pcreate(H5P_FILE_ACCESS), "make properties"));
    stored_.use_in(access);
    file_ = Handle(checked(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), "open the file"));
    const Handle creation(checked(H5Fget_create_plist(file_), "ask for its properties"));
    std::size_t address_bytes = 0, length_bytes = 0;
    checked(H5Pget_sizes(creation, &address_bytes, &length_bytes), "ask for its properties");
    checked(H5Pget_userblock(creation, &first_byte_), "ask for its properties");
    if (address_bytes != 8 || length_bytes != 8) beyond("its addresses have not 8 bytes");
  }

  FoundRecords find() {
    for (const std::string& name : links()) look_at(name);
    if (is_virtual_) return find_in_part();
    const auto is_along = [](const Scale& scale) { return scale.is_unlimited; };
    const auto count = std::ranges::count_if(scales_, is_along);
    if (count > 1) beyond(fmt::format("it has {} unlimited dimensions", count));
    if (scales_.empty() && !others_.empty() && H5Aexists(file_, "_NCProperties") <= 0) beyond("it is no netCDF-4 file");
    const auto record = std::ranges::find_if(scales_, is_along);
    if (record == scales_.end()) return {};
    if (record->extents.front() == 0) return find_without_coordinate();
    if (record->extents.size() != 1) return {true, std::nullopt, "its record coordinate has several dimensions"};
    return first_along(*record);
  }

 private:
  template <typename T>
  T checked(T result, const std::string& action) const {
    if (result >= 0) return result;
    stored_.check();
    fail(THALWEG_ERROR_FORMAT, "HDF5 cannot {} of '{}': {}", action, path_, hdf5_error());
  }
  [[noreturn]] void beyond(const std::string& what) const { fail(THALWEG_ERROR_FORMAT, "'{}': {}", path_, what); }

  std::vector<std::string> links() const {
    std::vector<std::string> names;
    checked(H5Literate(
                file_, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr,
                [](hid_t, const char* name, const H5L_info_t* link, void* out) -> herr_t {
                  auto& found = *static_cast<std::vector<std::string>*>(out);
                  if (link->type == H5L_TYPE_HARD) found.emplace_back(name);
                  return found.size() > most_links ? -1 : 0;
                },
                &names),
            "list the variables");
    return names;
  }

  void look_at(const std::string& name) {
    ObjectInfo info{};
    checked(H5Oget_info_by_name2(file_, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT), "look at a variable");
    if (info.type == H5O_TYPE_GROUP) beyond("it has groups");
    if (info.type != H5O_TYPE_DATASET) return;
    const auto storage = hdf5_storage(stored_.descriptor(), path_, first_byte_ + info.addr);
    if (!storage) beyond(fmt::format("the header of '{}' is damaged", name));
    const bool is_scale = text_of(name, "CLASS") == "DIMENSION_SCALE";
    if (storage->layout == Hdf5Layout::elsewhere)
      is_virtual_ |= is_scale;
    else if (!is_scale)
      others_.push_back(name);
    else if (auto scale = scale_of(name))
      scales_.push_back(*scale);
  }

  // Nothing: it has no dimension.
  std::optional<Scale> scale_of(const std::string& name) const {
    const Handle set(checked(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), "open a dimension"));
    const Handle space(checked(H5Dget_space(set), "ask for the extent of a dimension"));
    const int rank = checked(H5Sget_simple_extent_ndims(space), "ask for the extent of a dimension");
    if (rank < 1 || rank > H5S_MAX_RANK) return std::nullopt;
    std::array<hsize_t, H5S_MAX_RANK> now{}, most{};
    checked(H5Sget_simple_extent_dims(space, now.data(), most.data()), "ask for the extent of a dimension");
    return Scale{name, {now.begin(), now.begin() + rank}, most[0] == H5S_UNLIMITED};
  }

  // A dimension without a variable is as long as the longest of the variables on it.
  FoundRecords find_without_coordinate() const {
    for (const std::string& name : others_)
      if (const auto extents = scale_of(name); extents && extents->is_unlimited && extents->extents.front() > 0)
        return {true, std::nullopt, "it has no record coordinate"};
    return {};
  }

  // "": there is none. Nothing: it is no text of fixed length.
  std::optional<std::string> text_of(const std::string& variable, const char* name) const {
    if (checked(H5Aexists_by_name(file_, variable.c_str(), name, H5P_DEFAULT), "look for an attribute") == 0) return "";
    const Handle attribute(
        checked(H5Aopen_by_name(file_, variable.c_str(), name, H5P_DEFAULT, H5P_DEFAULT), "open an attribute"));
    const Handle type(checked(H5Aget_type(attribute), "ask for the type of an attribute"));
    const Handle space(checked(H5Aget_space(attribute), "ask for the size of an attribute"));
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) return std::nullopt;
    std::string text(H5Tget_size(type), '\0');
    if (text.empty() || text.size() > longest_text || H5Sget_simple_extent_npoints(space) != 1) return std::nullopt;
    checked(H5Aread(attribute, type, text.data()), "read an attribute");
    return text.substr(0, text.find('\0'));
  }

  FoundRecords first_along(const Scale& record) const {
    FoundRecords found{.has_records = true};
    const auto units = text_of(record.name, "units");
    const auto calendar = text_of(record.name, "calendar");
    if (!units || !calendar) {
      found.why = fmt::format("'{}' of '{}' is no text of fixed length, and HDF5 reads others without checks",
                              units ? "calendar" : "units", record.name);
      return found;
    }
    if (const auto value = first_value(record.name))
      found.first = RecordTime{*value, *units, *calendar};
    else
      found.why = fmt::format("'{}' has a type or filters that are not read here", record.name);
    return found;
  }

  std::optional<double> first_value(const std::string& name) const {
    const Handle set(checked(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), "open the record coordinate"));
    if (!has_plain_type(set) || !is_stored_plainly(set)) return std::nullopt;
    const Handle space(checked(H5Dget_space(set), "ask for the records"));
    const hsize_t start = 0, one = 1;
    checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &one, nullptr), "choose the first record");
    const Handle memory(checked(H5Screate_simple(1, &one, nullptr), "choose the first record"));
    double value = 0.0;
    checked(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &value), "read the first record");
    return value;
  }

  // Conversions of others follow what the file says of their bits.
  bool has_plain_type(hid_t set) const {
    const Handle type(checked(H5Dget_type(set), "ask for the type of the record coordinate"));
    const std::array<hid_t, 8> plain = {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE,
                                        H5T_STD_I64LE,  H5T_STD_I64BE,  H5T_STD_I32LE,  H5T_STD_I32BE};
    return std::ranges::any_of(plain, [&](hid_t known) { return H5Tequal(type, known) > 0; });
  }

  bool is_stored_plainly(hid_t set) const {
    const Handle creation(checked(H5Dget_create_plist(set), "ask for the storage of the record coordinate"));
    hsize_t chunk = 0;
    if (H5Pget_layout(creation) != H5D_CHUNKED || H5Pget_chunk(creation, 1, &chunk) != 1 || chunk > longest_chunk)
      return false;
    const auto is_known = [](H5Z_filter_t id) {
      return std::ranges::any_of(transform::filters(), [id](const transform::Filter* filter) {
        return filter->description.hdf5_filter == static_cast<unsigned>(id);
      });
    };
    for (int i = 0; i < H5Pget_nfilters(creation); ++i) {
      unsigned flags = 0, config = 0;
      std::size_t values = 0;
      const H5Z_filter_t filter =
          H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &config);
      if (filter == H5Z_FILTER_NONE || !is_known(filter)) return false;
    }
    return true;
  }

  FoundRecords find_in_part() const {
    const std::vector<std::string> parts = storage::parts_beside(path_);
    if (!parts.empty()) {
      FoundRecords found = first_in_netcdf4(parts.front());
      found.shows_others = true;
      return found;
    }
    beyond("its variables lie in other files, none of which is there");
  }

  const std::string& path_;
  CheckedFile stored_;
  Quiet quiet_;
  Handle file_;
  hsize_t first_byte_ = 0;
  std::vector<Scale> scales_;
  std::vector<std::string> others_;  // datasets that are no dimensions
  bool is_virtual_ = false;
};

}  // namespace

FoundRecords first_in_netcdf4(const std::string& path) {
  const LibraryTurn turn(fmt::format("read '{}'", path));
  make_filters_known();
  return FirstRecordReader(path).find();
}

}  // namespace thalweg::formats::netcdf4
