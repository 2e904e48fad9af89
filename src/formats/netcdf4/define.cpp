#include "formats/netcdf4/define.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"
#include "block/block_map.hpp"
#include "formats/mpi_path.hpp"
#include "formats/netcdf4/hdf5_handle.hpp"
#include "formats/netcdf4/library.hpp"
#include "formats/registry.hpp"
#include "storage/new_file.hpp"
#include "storage/striping.hpp"
#include "transform/filter.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

using catalog::Attribute;
using catalog::Definition;
using catalog::Variable;

// Large fixed-size variables start on a page. The setting is the process's, so it is put back. netCDF says 0 where
// nobody has set it, but once it was set takes 0 for a value and can open no file any more: HDF5's own default is 1.
class Alignment {
 public:
  Alignment() {
    nc().get_alignment(&threshold_, &alignment_);
    threshold_ = std::max(threshold_, 1);
    alignment_ = std::max(alignment_, 1);
    nc().set_alignment(static_cast<int>(block::direct_run_bytes), static_cast<int>(block::page_bytes));
  }
  ~Alignment() { nc().set_alignment(threshold_, alignment_); }
  Alignment(const Alignment&) = delete;
  Alignment& operator=(const Alignment&) = delete;

 private:
  int threshold_ = 0;
  int alignment_ = 0;
};

int mode_of(const Definition& definition) {
  const int model = row_of(definition.format).limits.is_classic ? NC_CLASSIC_MODEL : 0;
  return NC_NETCDF4 | NC_CLOBBER | model;
}

class Definer {
 public:
  // NC_DISKLESS, in memory, by this process alone: no lock, no side file, and no time spent in a parallel file system.
  Definer(const std::string& path, const Definition& definition, int where) : path_(path), definition_(definition) {
    const Alignment alignment;
    check(nc().create(path.c_str(), mode_of(definition) | where, &id_), "creation");
  }
  // On storage, by the ranks of comm together.
  Definer(const std::string& path, const Definition& definition, MPI_Comm comm, MPI_Info info)
      : path_(path), definition_(definition), is_on_storage_(true) {
    const Alignment alignment;
    const int status = nc().create_par(path.c_str(), mode_of(definition), comm, info, &id_);
    if (status != NC_NOERR)
      fail(THALWEG_ERROR_STORAGE, "netCDF cannot create '{}': {}{}", path, nc().strerror(status), advice_on_path(path));
  }
  ~Definer() {
    if (id_ >= 0) nc().abort(id_);
  }
  Definer(const Definer&) = delete;
  Definer& operator=(const Definer&) = delete;

  Netcdf4Header define() {
    if (!definition_.record_dimension.empty())
      check(nc().def_dim(id_, definition_.record_dimension.c_str(), NC_UNLIMITED, &record_), "record dimension");
    for (const catalog::Dimension& dimension : definition_.dimensions)
      check(nc().def_dim(id_, dimension.name.c_str(), static_cast<std::size_t>(dimension.size),
                         &dimensions_.emplace_back()),
            fmt::format("dimension '{}'", dimension.name));
    Netcdf4Header header;
    if (record_ >= 0) header.record_scale = name_of_dimension(record_);
    for (const Variable& variable : definition_.variables) {
      header.variables.push_back(define_variable(variable));
      if (header.variables.back() == header.record_scale) header.record_scale.clear();
    }
    for (const Attribute& attribute : definition_.attributes) put(NC_GLOBAL, attribute, "the file");
    check(nc().enddef(id_), "header");
    return header;
  }

  int release() { return std::exchange(id_, -1); }

  // The file's bytes, of one in memory. netCDF hands them out only for files made by nc_create_mem, which cannot be
  // opened for writing later (they lack the order of creation); H5Fget_file_image leaves a superblock with a wrong
  // checksum.
  std::vector<std::byte> image() const {
    const Quiet quiet;
    for (const hid_t file : files_of_hdf5()) {
      std::string name(path_.size() + 1, '\0');
      if (H5Fget_name(file, name.data(), name.size() + 1) != std::ssize(path_) || name.c_str() != path_) continue;
      void** memory = nullptr;
      hsize_t bytes = 0;
      if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0 || H5Fget_filesize(file, &bytes) < 0 ||
          H5Fget_vfd_handle(file, H5P_DEFAULT, reinterpret_cast<void**>(&memory)) < 0)
        break;
      const auto* first = static_cast<const std::byte*>(*memory);
      return {first, first + bytes};
    }
    fail(THALWEG_ERROR_FORMAT, "HDF5 does not give the header of '{}': {}", path_, hdf5_error());
  }

  void close() { check(nc().close(release()), "header"); }

 private:
  void check(int status, const std::string& what) const {
    // What netCDF refuses of definitions it says itself; where HDF5 fails, it is the storage.
    if (status == NC_EHDFERR && is_on_storage_)
      fail(THALWEG_ERROR_STORAGE, "netCDF cannot write the {} of '{}': {}", what, path_, nc().strerror(status));
    if (status != NC_NOERR)
      fail(THALWEG_ERROR_FORMAT, "netCDF refuses the {} of '{}': {}", what, path_, nc().strerror(status));
  }

  std::string define_variable(const Variable& variable) {
    const auto what = fmt::format("variable '{}'", variable.name);
    std::vector<int> ids;
    std::vector<std::size_t> chunk;
    if (variable.has_record) {
      ids.push_back(record_);
      chunk.push_back(static_cast<std::size_t>(variable.chunk_records));
    }
    for (int d : variable.dimensions) ids.push_back(dimensions_[static_cast<std::size_t>(d)]);
    for (std::int64_t extent : variable.chunk) chunk.push_back(static_cast<std::size_t>(extent));
    int id = 0;
    check(nc().def_var(id_, variable.name.c_str(), netcdf_type(variable.type), static_cast<int>(ids.size()), ids.data(),
                       &id),
          what);
    const bool chunked = variable.is_chunked || variable.has_record;
    check(nc().def_var_chunking(id_, id, chunked ? NC_CHUNKED : NC_CONTIGUOUS, chunked ? chunk.data() : nullptr),
          "chunks of " + what);
    if (chunked) define_encoding(id, variable.encoding, what);
    // Chunks of a variable without records may not be there yet when records are: they read as the fill value. Where
    // ranks make the file together, HDF5 makes at once, and would fill, all chunks but those whose size it does not
    // know. Before attributes: it deletes _FillValue.
    const bool made_later = !is_on_storage_ || variable.encoding.changes_size();
    const bool may_be_missing = chunked && !variable.has_record && made_later;
    check(nc().def_var_fill(id_, id, may_be_missing ? NC_FILL : NC_NOFILL, nullptr), what);
    for (const Attribute& attribute : variable.attributes) put(id, attribute, variable.name);
    return dataset_of(id, ids);
  }

  void define_encoding(int id, const catalog::Encoding& encoding, const std::string& what) const {
    const bool is_deflate = encoding.codec && encoding.codec->hdf5_filter == H5Z_FILTER_DEFLATE;
    if (encoding.shuffle || is_deflate)
      check(nc().def_var_deflate(id_, id, encoding.shuffle ? 1 : 0, is_deflate ? 1 : 0, encoding.level),
            "compression of " + what);
    if (encoding.codec && !is_deflate) {
      const std::vector<unsigned> values = transform::filter_of(encoding.codec).hdf5_values(encoding.level);
      check(nc().def_var_filter(id_, id, encoding.codec->hdf5_filter, values.size(), values.data()),
            "compression of " + what);
    }
    if (encoding.checksum) check(nc().def_var_fletcher32(id_, id, NC_FLETCHER32), "checksum of " + what);
  }

  // netCDF gives a dataset another name if a dimension of that name, which is not the variable's first, has its own.
  // (source: netCDF-C, NON_COORD_PREPEND in nc4internal.h)
  std::string dataset_of(int variable, const std::vector<int>& ids) const {
    std::array<char, NC_MAX_NAME + 1> name{};
    check(nc().inq_varname(id_, variable, name.data()), "name of a variable");
    int dimension = -1;
    const bool is_dimension = nc().inq_dimid(id_, name.data(), &dimension) == NC_NOERR;
    const bool is_coordinate = is_dimension && !ids.empty() && ids.front() == dimension;
    return is_dimension && !is_coordinate ? fmt::format("_nc4_non_coord_{}", name.data()) : name.data();
  }

  std::string name_of_dimension(int dimension) const {
    std::array<char, NC_MAX_NAME + 1> name{};
    check(nc().inq_dimname(id_, dimension, name.data()), "name of a dimension");
    return name.data();
  }

  void put(int variable, const Attribute& attribute, const std::string& owner) {
    const auto bytes = attribute.bytes();
    check(nc().put_att(id_, variable, attribute.name.c_str(), netcdf_type(attribute.element_type()),
                       bytes.size() / size_of(attribute.element_type()), bytes.data()),
          fmt::format("attribute '{}' of {}", attribute.name, owner));
  }

  const std::string& path_;
  const Definition& definition_;
  bool is_on_storage_ = false;
  int id_ = -1;
  int record_ = -1;
  std::vector<int> dimensions_;
};

}  // namespace

void write_header(const std::string& path, const Netcdf4Header& header, const config::Striping& striping) {
  const block::MetadataWrite write{0, header.bytes};
  storage::make_file(path, std::span(&write, 1), 0, striping);
}

Netcdf4Header define_netcdf4(const std::string& path, const Definition& definition) {
  Definer definer(path, definition, NC_DISKLESS);
  Netcdf4Header header = definer.define();
  header.bytes = definer.image();
  definer.close();
  return header;
}

int define_netcdf4_for_all(const std::string& path, const Definition& definition, MPI_Comm comm, MPI_Info info) {
  Definer definer(path, definition, comm, info);
  definer.define();
  return definer.release();
}

int define_netcdf4_on_storage(const std::string& path, const Definition& definition) {
  storage::make_striped(path, definition.striping);  // says what is wrong with the path
  Definer definer(path, definition, 0);
  definer.define();
  return definer.release();
}

}  // namespace thalweg::formats::netcdf4
