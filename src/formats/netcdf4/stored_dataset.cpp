#include "formats/netcdf4/stored_dataset.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "formats/netcdf4/attribute_types.hpp"
#include "formats/netcdf4/hdf5_handle.hpp"
#include "formats/netcdf4/hdf5_header.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

#if H5_VERSION_GE(1, 12, 0)
using DatasetInfo = H5O_info1_t;
#else
using DatasetInfo = H5O_info_t;
#endif

// HDF5 opens a file that netCDF-C has open once more only if it is to be closed in the same way, which depends on how
// netCDF-C was built.
Handle opened_beside_netcdf(const std::string& path) {
  Handle file;
  for (const H5F_close_degree_t degree : {H5F_CLOSE_WEAK, H5F_CLOSE_SEMI, H5F_CLOSE_STRONG}) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_fclose_degree(access, degree);
    if (file < 0) file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
  }
  return file;
}

std::optional<DatasetInfo> info_of(hid_t object) {
  DatasetInfo info{};
  return H5Oget_info_by_name2(object, ".", &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 ? std::optional(info)
                                                                                    : std::nullopt;
}

// What a program has put into a file that it also has open for writing may lie in HDF5's memory still.
bool is_for_reading(hid_t file) {
  unsigned intent = 0;
  return H5Fget_intent(file, &intent) >= 0 && (intent & H5F_ACC_RDWR) == 0;
}

bool has_plain_addresses(hid_t file) {
  const Handle creation(H5Fget_create_plist(file));
  std::size_t address_bytes = 0, length_bytes = 0;
  hsize_t first_byte = 1;
  return H5Pget_sizes(creation, &address_bytes, &length_bytes) >= 0 && address_bytes == 8 && length_bytes == 8 &&
         H5Pget_userblock(creation, &first_byte) >= 0 && first_byte == 0;
}

// Nothing: it is no such type in either order.
std::optional<std::endian> order_of(hid_t stored, Type type) {
  if (type == Type::character)
    return H5Tget_class(stored) == H5T_STRING && H5Tis_variable_str(stored) == 0 && H5Tget_size(stored) == 1
               ? std::optional(std::endian::native)
               : std::nullopt;
  const Handle same(H5Tcopy(native_type(type)));
  for (const auto& [order, of_hdf5] : {std::pair(std::endian::little, H5T_ORDER_LE), {std::endian::big, H5T_ORDER_BE}})
    if (H5Tset_order(same, of_hdf5) >= 0 && H5Tequal(stored, same) > 0) return order;
  return std::nullopt;
}

std::optional<Index> shape_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset));
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 1 || rank > max_rank) return std::nullopt;
  std::array<hsize_t, max_rank> now{};
  if (H5Sget_simple_extent_dims(space, now.data(), nullptr) < 0) return std::nullopt;
  Index shape;
  for (int d = 0; d < rank; ++d) shape.push_back(static_cast<std::int64_t>(now[static_cast<std::size_t>(d)]));
  return shape;
}

std::optional<Index> chunk_of(hid_t creation, int rank) {
  std::array<hsize_t, max_rank> extents{};
  if (H5Pget_chunk(creation, rank, extents.data()) != rank) return std::nullopt;
  Index chunk;
  for (int d = 0; d < rank; ++d) chunk.push_back(static_cast<std::int64_t>(extents[static_cast<std::size_t>(d)]));
  return std::ranges::all_of(chunk, [](std::int64_t cells) { return cells > 0; }) ? std::optional(chunk) : std::nullopt;
}

std::optional<ChunkFilter> filter_of_hdf5(hid_t creation, unsigned number) {
  unsigned flags = 0;
  std::array<unsigned, 8> values{};
  std::size_t value_count = values.size();
  const H5Z_filter_t id = H5Pget_filter2(creation, number, &flags, &value_count, values.data(), 0, nullptr, nullptr);
  for (const transform::Filter* filter : transform::filters())
    if (id > 0 && filter->description.hdf5_filter == static_cast<unsigned>(id)) {
      const bool orders = filter->place == transform::FilterPlace::order;
      if (orders && (value_count < 1 || values[0] == 0)) return std::nullopt;
      return ChunkFilter{filter, orders ? values[0] : 1};
    }
  return std::nullopt;
}

std::optional<std::vector<ChunkFilter>> filters_of(hid_t creation) {
  std::vector<ChunkFilter> filters;
  const int count = H5Pget_nfilters(creation);
  for (int number = 0; number < count; ++number) {
    const auto filter = filter_of_hdf5(creation, static_cast<unsigned>(number));
    if (!filter) return std::nullopt;
    filters.push_back(*filter);
  }
  return count < 0 ? std::nullopt : std::optional(filters);
}

bool find_values(hid_t dataset, hid_t creation, StoredDataset& stored) {
  const haddr_t address = H5Dget_offset(dataset);
  stored.address = address;
  return address != HADDR_UNDEF && H5Pget_external_count(creation) == 0;
}

// address: of the header of the dataset.
bool find_chunks(const storage::Descriptor& file, const std::string& path, std::uint64_t address, hid_t creation,
                 StoredDataset& stored) {
  const auto storage = hdf5_storage(file, path, address);
  auto filters = filters_of(creation);
  const auto chunk = chunk_of(creation, stored.shape.rank());
  if (!storage || !storage->chunk_tree || !filters || !chunk) return false;
  stored.address = *storage->chunk_tree;
  stored.filters = *std::move(filters);
  stored.chunk = *chunk;
  return true;
}

}  // namespace

std::optional<StoredDataset> stored_dataset(const storage::Descriptor& file, const std::string& path,
                                            const std::string& name, Type type) {
  const Quiet quiet(fmt::format("read '{}' of '{}'", name, path));
  const Handle opened = opened_beside_netcdf(path);
  if (opened < 0 || !is_for_reading(opened) || !has_plain_addresses(opened)) return std::nullopt;
  const Handle dataset(H5Dopen2(opened, name.c_str(), H5P_DEFAULT));
  if (dataset < 0) return std::nullopt;
  const auto of_file = info_of(opened), of_dataset = info_of(dataset);
  const bool is_here = of_file && of_dataset && of_file->fileno == of_dataset->fileno;
  if (!is_here) return std::nullopt;  // an external link leads to another file
  const Handle stored_type(H5Dget_type(dataset));
  const Handle creation(H5Dget_create_plist(dataset));
  const auto order = order_of(stored_type, type);
  const auto shape = shape_of(dataset);
  if (!order || !shape) return std::nullopt;
  StoredDataset stored{.type = type, .order = *order, .shape = *shape, .chunk = {}, .filters = {}};
  const H5D_layout_t layout = H5Pget_layout(creation);
  const bool is_found = layout == H5D_CONTIGUOUS ? find_values(dataset, creation, stored)
                        : layout == H5D_CHUNKED  ? find_chunks(file, path, of_dataset->addr, creation, stored)
                                                 : false;
  return is_found ? std::optional(stored) : std::nullopt;
}

}  // namespace thalweg::formats::netcdf4
