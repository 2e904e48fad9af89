// netCDF-C defines the whole in memory, as it would any file; the master is a copy of that in which the variables are
// virtual. Everything that netCDF needs beyond datasets (dimension scales, its own attributes, the order in which
// things were made) is thus as netCDF itself makes it.
#include "formats/netcdf4/virtual.hpp"

#include <fcntl.h>
#include <unistd.h>
#include "formats/netcdf4/hdf5_library.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/error.hpp"
#include "formats/netcdf4/define.hpp"
#include "formats/netcdf4/hdf5_handle.hpp"
#include "formats/netcdf4/hdf5_memory.hpp"
#include "storage/posix.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

using catalog::Definition;
using catalog::Variable;

// Names of the links of a group in the order in which they were made.
std::vector<std::string> links_of(hid_t group) {
  std::vector<std::string> names;
  H5Literate(
      group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr,
      [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
      },
      &names);
  return names;
}

std::vector<std::string> attributes_of(hid_t object) {
  std::vector<std::string> names;
  H5Aiterate2(
      object, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr,
      [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
        static_cast<std::vector<std::string>*>(out)->emplace_back(name);
        return 0;
      },
      &names);
  return names;
}

// In a file name of a mapping "%b" means the number of a block.
std::string escaped(const std::string& name) {
  std::string result;
  for (const char letter : name) result += letter == '%' ? std::string("%%") : std::string(1, letter);
  return result;
}

// One variable's extents in HDF5: the record dimension first, unlimited.
struct DatasetExtents {
  std::vector<hsize_t> now;
  std::vector<hsize_t> most;

  DatasetExtents(bool has_record, const Index& shape) {
    if (has_record) {
      now.push_back(0);
      most.push_back(H5S_UNLIMITED);
    }
    for (const std::int64_t extent : shape) {
      now.push_back(static_cast<hsize_t>(extent));
      most.push_back(static_cast<hsize_t>(extent));
    }
  }
};

class Master {
 public:
  // The file is complete when this object is gone.
  Master(const std::string& path, MemoryFile& file, MemoryFile& header) : path_(path) {
    const Handle in_memory(H5Pcreate(H5P_FILE_ACCESS));
    header.use_in(in_memory);
    header_ = Handle(checked(H5Fopen(path.c_str(), H5F_ACC_RDONLY, in_memory), "open the header"));
    const Handle creation(checked(H5Fget_create_plist(header_), "ask for the properties"));
    // HDF5 gives back the properties of a file, but not those of its root; netCDF lists variables in this order.
    constexpr unsigned in_order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    checked(H5Pset_link_creation_order(creation, in_order), "set the order of variables");
    checked(H5Pset_attr_creation_order(creation, in_order), "set the order of attributes");
    const Handle access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    // HDF5 would look for the parts as soon as it meets a variable that they show, and open those of an earlier set for
    // writing: it marks a file that is open so, and a kill at that moment would leave a complete file that nobody can
    // open any more. In memory it finds no other file.
    file.use_in(access);
    master_ = Handle(checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access), "create the file"));
  }

  void copy(const Definition& whole, const Netcdf4Header& names, const std::vector<VirtualSources>& sources) {
    for (const std::string& name : links_of(header_)) {
      const auto found = std::find(names.variables.begin(), names.variables.end(), name);
      const auto v = static_cast<std::size_t>(found - names.variables.begin());
      if (found == names.variables.end())
        copy_dataset(name);
      else
        make_virtual(name, whole, whole.variables[v], sources[v]);
    }
    for (const std::string& name : links_of(header_)) attach_scales(name);
    copy_attributes(Handle(checked(H5Gopen2(header_, "/", H5P_DEFAULT), "open the root")),
                    Handle(checked(H5Gopen2(master_, "/", H5P_DEFAULT), "open the root")));
    checked(H5Fflush(master_, H5F_SCOPE_LOCAL), "complete the file");
  }

 private:
  template <typename T>
  T checked(T result, const std::string& action) const {
    if (result >= 0) return result;
    fail(THALWEG_ERROR_STORAGE, "HDF5 cannot {} of the virtual master '{}': {}", action, path_, hdf5_error());
  }

  Handle dataset_of(hid_t file, const std::string& name) const {
    return Handle(checked(H5Dopen2(file, name.c_str(), H5P_DEFAULT), fmt::format("open dataset '{}'", name)));
  }

  // Dimensions without a variable: datasets that never have values.
  void copy_dataset(const std::string& name) const {
    const Handle from = dataset_of(header_, name);
    const Handle space(checked(H5Dget_space(from), "ask the extents"));
    create(name, from, space, Handle(checked(H5Dget_create_plist(from), "ask the properties")));
  }

  void make_virtual(const std::string& name, const Definition& whole, const Variable& variable,
                    const VirtualSources& sources) const {
    const Handle from = dataset_of(header_, name);
    const DatasetExtents extents(variable.has_record, whole.shape(variable));
    const Handle space = space_of(extents);
    const Handle creation = virtual_properties(from, variable);
    for (const VirtualSource& source : sources) {
      const Handle there = selected(space_of(extents), variable.has_record, source.box);
      const Handle here = selected(space_of(DatasetExtents(variable.has_record, source.box.count)), variable.has_record,
                                   whole_of(source.box));
      const std::string file = escaped(source.file);
      checked(H5Pset_virtual(creation, there, file.c_str(), escaped(name).c_str(), here),
              fmt::format("map '{}' into '{}'", name, file));
    }
    create(name, from, space, creation);
  }

  static Box whole_of(const Box& box) { return whole(box.count); }

  Handle space_of(const DatasetExtents& extents) const {
    if (extents.now.empty()) return Handle(checked(H5Screate(H5S_SCALAR), "make extents"));
    return Handle(
        checked(H5Screate_simple(static_cast<int>(extents.now.size()), extents.now.data(), extents.most.data()),
                "make extents"));
  }

  // The box in all records, however many there will be.
  Handle selected(Handle space, bool has_record, const Box& box) const {
    std::vector<hsize_t> start, count, block;
    if (has_record) {
      start.push_back(0);
      count.push_back(H5S_UNLIMITED);
      block.push_back(1);
    }
    for (int d = 0; d < box.rank(); ++d) {
      start.push_back(static_cast<hsize_t>(box.start[d]));
      count.push_back(1);
      block.push_back(static_cast<hsize_t>(box.count[d]));
    }
    if (!start.empty())
      checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), block.data()),
              "select a box");
    return space;
  }

  // What no part has shows as fill value.
  Handle virtual_properties(hid_t from, const Variable& variable) const {
    const Handle model(checked(H5Dget_create_plist(from), "ask the properties"));
    const Handle type(checked(H5Dget_type(from), "ask the type"));
    Handle creation(checked(H5Pcreate(H5P_DATASET_CREATE), "make properties"));
    unsigned order = 0, compact = 0, dense = 0;
    checked(H5Pget_attr_creation_order(model, &order), "ask the order of attributes");
    checked(H5Pset_attr_creation_order(creation, order), "set the order of attributes");
    checked(H5Pget_attr_phase_change(model, &compact, &dense), "ask the storage of attributes");
    checked(H5Pset_attr_phase_change(creation, compact, dense), "set the storage of attributes");
    const Element fill = fill_of(variable);
    checked(H5Pset_fill_value(creation, type, fill.data()), "set the fill value");
    return creation;
  }

  void create(const std::string& name, hid_t from, hid_t space, hid_t creation) const {
    const Handle type(checked(H5Dget_type(from), "ask the type"));
    const Handle to(checked(H5Dcreate2(master_, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT),
                            fmt::format("create dataset '{}'", name)));
    copy_attributes(from, to);
  }

  // All but references between datasets, which attach_scales() makes anew.
  void copy_attributes(hid_t from, hid_t to) const {
    for (const std::string& name : attributes_of(from))
      if (name != "DIMENSION_LIST" && name != "REFERENCE_LIST") copy_attribute(from, to, name);
  }

  void copy_attribute(hid_t from, hid_t to, const std::string& name) const {
    const std::string what = fmt::format("copy attribute '{}'", name);
    const Handle old(checked(H5Aopen(from, name.c_str(), H5P_DEFAULT), what));
    const Handle type(checked(H5Aget_type(old), what));
    const Handle space(checked(H5Aget_space(old), what));
    const hssize_t elements = checked(H5Sget_simple_extent_npoints(space), what);
    const Handle copy(checked(H5Acreate2(to, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), what));
    if (elements == 0) return;
    std::vector<std::byte> values(static_cast<std::size_t>(elements) * H5Tget_size(type));
    checked(H5Aread(old, type, values.data()), what);
    checked(H5Awrite(copy, type, values.data()), what);
  }

  void attach_scales(const std::string& name) const {
    const Handle from = dataset_of(header_, name);
    if (H5Aexists(from, "DIMENSION_LIST") <= 0) return;
    const Handle to = dataset_of(master_, name);
    const Handle space(checked(H5Dget_space(from), "ask the extents"));
    const int rank = checked(H5Sget_simple_extent_ndims(space), "ask the extents");
    for (unsigned d = 0; d < static_cast<unsigned>(rank); ++d) {
      const Handle scale = dataset_of(master_, scale_of(from, d));
      checked(H5DSattach_scale(to, scale, d), fmt::format("attach dimension {} of '{}'", d, name));
    }
  }

  std::string scale_of(hid_t dataset, unsigned dimension) const {
    std::array<char, 1024> name{};
    const auto keep_name = [](hid_t, unsigned, hid_t scale, void* out) -> herr_t {
      auto& result = *static_cast<std::array<char, 1024>*>(out);
      return H5Iget_name(scale, result.data(), result.size()) > 0 ? 1 : -1;
    };
    checked(H5DSiterate_scales(dataset, dimension, nullptr, keep_name, &name), "find a dimension");
    return name.data();
  }

  const std::string& path_;
  Handle header_;
  Handle master_;
};

}  // namespace

void create_virtual_netcdf4(const std::string& path, const Definition& whole,
                            const std::vector<VirtualSources>& sources) {
  const LibraryTurn turn(fmt::format("create '{}'", path));
  Netcdf4Header header = define_netcdf4(path, whole);
  storage::Descriptor made = storage::open_file(path, O_CREAT | O_EXCL | O_WRONLY);
  try {
    const Quiet quiet;
    MemoryFile defined(std::move(header.bytes));
    MemoryFile file;
    Master(path, file, defined).copy(whole, header, sources);
    storage::write_all(made, path, 0, file.bytes());
    made.close(path);
  } catch (...) {
    ::unlink(path.c_str());  // half a master is of no use to anyone, and would be in the way of the next try
    throw;
  }
}

}  // namespace thalweg::formats::netcdf4
