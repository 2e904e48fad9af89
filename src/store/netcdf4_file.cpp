#include "store/netcdf4_file.hpp"

#include <hdf5.h>

#include <array>
#include <limits>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "store/block_map.hpp"
#include "store/hdf5_driver.hpp"
#include "store/hdf5_handle.hpp"
#include "store/netcdf4_define.hpp"
#include "store/scratch_file.hpp"

namespace thalweg::store {
namespace {

using catalog::Definition;
using catalog::Variable;

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

struct Dataset {
  std::string name;
  Handle id;
  bool has_record = false;
  std::int64_t address = 0;  // of fixed-size variables
  Index shape;               // without records
  Index chunk;
  std::int64_t chunk_records = 1;
  std::int64_t record_bytes = 0;                           // of one record in one chunk
  std::map<std::int64_t, std::vector<std::int64_t>> rows;  // addresses of the chunks that start at that row of chunks
};

class Netcdf4File : public FormatFile {
 public:
  Netcdf4File(const std::string& path, const Definition& definition, const Netcdf4Names& names)
      : path_(path), held_(path) {
    const Quiet quiet;
    open();
    for (std::size_t v = 0; v < definition.variables.size(); ++v)
      datasets_.push_back(dataset(definition, definition.variables[v], names.variables[v]));
    if (!names.record_scale.empty()) scale_ = Handle(checked(open_dataset(names.record_scale), "open the dimension"));
    seal(0);
  }

  ~Netcdf4File() override {
    const Quiet quiet;
    scale_ = Handle();
    datasets_.clear();
    file_ = Handle();
  }

  // A record at a time: what HDF5 writes for each is a state of the file of its own, which commit() can hand out after
  // HDF5 has gone ahead.
  void extend(std::int64_t records) override {
    const Quiet quiet;
    while (extended_ < records) {
      ++extended_;
      for (const Dataset& dataset : datasets_)
        if (dataset.has_record) set_extent(dataset);
      const auto length = static_cast<hsize_t>(extended_);
      if (scale_ >= 0) checked(H5Dset_extent(scale_, &length), "extend the record dimension");
      seal(extended_);
    }
  }

  std::int64_t offset(int variable, std::int64_t record, std::int64_t chunk) const override {
    const Dataset& dataset = datasets_[static_cast<std::size_t>(variable)];
    if (!dataset.has_record) return dataset.address;
    const std::vector<std::int64_t>& row = addresses(dataset, record / dataset.chunk_records);
    return row.at(static_cast<std::size_t>(chunk)) + record % dataset.chunk_records * dataset.record_bytes;
  }

  Transaction commit(std::int64_t records) override {
    for (Dataset& dataset : datasets_)
      dataset.rows.erase(dataset.rows.begin(), dataset.rows.lower_bound(records / dataset.chunk_records));
    return held_.take(records);
  }

  // The state of the file at that many records is complete in itself. What HDF5 holds beyond it, and what it writes
  // when its own file is closed, goes nowhere.
  Transaction close(std::int64_t records) override {
    Transaction transaction = commit(records);
    transaction.file_bytes = held_.taken_bytes();
    return transaction;
  }

 private:
  template <typename T>
  T checked(T result, const char* action) const {
    if (result >= 0) return result;
    fail(THALWEG_ERROR_STORAGE, "HDF5 cannot {} of '{}': {}{}{}", action, path_, hdf5_error(),
         held_.fault().empty() ? "" : "; ", held_.fault());
  }

  void open() {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS));
    held_.use_in(access);
    checked(H5Pset_alignment(access, direct_run_bytes, page_bytes), "set the alignment");
    file_ = Handle(checked(H5Fopen(path_.c_str(), H5F_ACC_RDWR, access), "open the header"));
  }

  // Without a chunk cache HDF5 reads an element of a chunk where it is, and not the whole chunk.
  hid_t open_dataset(const std::string& name) const {
    const Handle access(H5Pcreate(H5P_DATASET_ACCESS));
    H5Pset_chunk_cache(access, 1, 0, 0.0);
    return H5Dopen2(file_, name.c_str(), access);
  }

  Dataset dataset(const Definition& definition, const Variable& variable, const std::string& name) const {
    Dataset result;
    result.name = variable.name;
    result.id = Handle(checked(open_dataset(name), "open a variable"));
    result.shape = definition.shape(variable);
    result.has_record = variable.has_record;
    result.chunk = variable.chunk;
    result.chunk_records = variable.chunk_records;
    result.record_bytes = variable.chunk.product() * static_cast<std::int64_t>(size_of(variable.type));
    if (!variable.has_record) {
      const haddr_t address = H5Dget_offset(result.id);
      if (address == HADDR_UNDEF)
        fail(THALWEG_ERROR_INTERNAL, "HDF5 has no place for variable '{}' of '{}'", variable.name, path_);
      result.address = static_cast<std::int64_t>(address);
    }
    return result;
  }

  void set_extent(const Dataset& dataset) const {
    std::array<hsize_t, max_rank + 1> extent{static_cast<hsize_t>(extended_)};
    for (int d = 0; d < dataset.shape.rank(); ++d)
      extent[static_cast<std::size_t>(d) + 1] = static_cast<hsize_t>(dataset.shape[d]);
    checked(H5Dset_extent(dataset.id, extent.data()), "extend a variable");
  }

  void seal(std::int64_t records) {
    checked(H5Fflush(file_, H5F_SCOPE_LOCAL), "close up a record");
    held_.seal(records);
  }

  const std::vector<std::int64_t>& addresses(const Dataset& dataset, std::int64_t row) const {
    auto& rows = const_cast<Dataset&>(dataset).rows;  // a cache, of which callers see nothing
    const auto known = rows.find(row);
    return known != rows.end() ? known->second : rows.emplace(row, ask(dataset, row)).first->second;
  }

  // Asks HDF5 where the chunks of one row are, by reading the first element of each. H5Dget_chunk_info_by_coord would
  // be the plain way, but walks through all chunks of the dataset at each call; a read uses the index.
  std::vector<std::int64_t> ask(const Dataset& dataset, std::int64_t row) const {
    const Quiet quiet;
    std::array<hsize_t, max_rank + 1> start{static_cast<hsize_t>(row * dataset.chunk_records)};
    std::array<hsize_t, max_rank + 1> stride{1};
    std::array<hsize_t, max_rank + 1> count{1};
    hsize_t chunks = 1;
    for (int d = 0; d < dataset.shape.rank(); ++d) {
      const auto e = static_cast<std::size_t>(d) + 1;
      stride[e] = static_cast<hsize_t>(dataset.chunk[d]);
      count[e] = static_cast<hsize_t>(divide_up(dataset.shape[d], dataset.chunk[d]));
      chunks *= count[e];
    }
    const Handle type(checked(H5Dget_type(dataset.id), "ask the type of a variable"));
    const Handle space(checked(H5Dget_space(dataset.id), "ask the extents of a variable"));
    const Handle memory(checked(H5Screate_simple(1, &chunks, nullptr), "describe a row of chunks"));
    checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), stride.data(), count.data(), nullptr),
            "select a row of chunks");
    std::vector<std::byte> buffer(chunks * H5Tget_size(type));
    std::vector<std::int64_t> offsets = held_.offsets_read([&] {
      checked(H5Dread(dataset.id, type, memory, space, H5P_DEFAULT, buffer.data()), "find the chunks of a variable");
    });
    if (offsets.size() != chunks)
      fail(THALWEG_ERROR_INTERNAL, "HDF5 gives {} addresses for the {} chunks of a record of '{}' in '{}'",
           offsets.size(), chunks, dataset.name, path_);
    return offsets;
  }

  std::string path_;
  mutable HeldFile held_;
  Handle file_;
  std::vector<Dataset> datasets_;
  Handle scale_;
  std::int64_t extended_ = 0;
};

struct Extents {
  std::vector<std::pair<std::string, std::vector<hsize_t>>> datasets;  // those with an unlimited first dimension
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
};

herr_t collect(hid_t group, const char* name, const H5L_info_t*, void* out) {
  auto& extents = *static_cast<Extents*>(out);
  const Handle object(H5Oopen(group, name, H5P_DEFAULT));
  if (object < 0) return -1;
  if (H5Iget_type(object) != H5I_DATASET) return 0;
  const Handle space(H5Dget_space(object));
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank <= 0) return rank;
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  std::vector<hsize_t> most(extent.size());
  H5Sget_simple_extent_dims(space, extent.data(), most.data());
  if (most.front() != H5S_UNLIMITED) return 0;
  extents.least = std::min(extents.least, static_cast<std::int64_t>(extent.front()));
  extents.datasets.emplace_back(name, std::move(extent));
  return 0;
}

}  // namespace

std::unique_ptr<FormatFile> create_netcdf4(const std::string& path, const Definition& definition) {
  const ScratchFile scratch;
  const Netcdf4Names names = define_netcdf4(scratch.path(), path, definition);
  scratch.publish(path, 0);
  return std::make_unique<Netcdf4File>(path, definition, names);
}

std::int64_t cut_netcdf4(const std::string& path) {
  const Quiet quiet;
  const auto checked = [&](auto result, const char* action) {
    if (result < 0)
      fail(THALWEG_ERROR_FORMAT, "'{}' starts like a netCDF-4 (HDF5) file, but HDF5 cannot {} it: {}", path, action,
           hdf5_error());
    return result;
  };
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_file_locking(access, false, true);  // many file systems have no locks, and the job that held one is dead
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  Handle file(checked(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), "open"));
  Extents extents;
  checked(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &extents), "list");
  if (extents.datasets.empty()) return 0;
  for (auto& [name, extent] : extents.datasets) {
    if (std::exchange(extent.front(), static_cast<hsize_t>(extents.least)) == extent.front()) continue;
    const Handle dataset(checked(H5Dopen2(file, name.c_str(), H5P_DEFAULT), "open a variable of"));
    checked(H5Dset_extent(dataset, extent.data()), "cut a variable of");
  }
  return extents.least;
}

}  // namespace thalweg::store
