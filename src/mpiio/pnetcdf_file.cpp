#include "mpiio/pnetcdf_file.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.hpp"
#include "formats/mpi_path.hpp"
#include "mpiio/mpi_hints.hpp"
#include "mpiio/pnetcdf_define.hpp"
#include "mpiio/pnetcdf_library.hpp"
#include "roles/meeting.hpp"
#include "storage/posix.hpp"

namespace thalweg::mpiio {
namespace {

using config::LibraryCalls;

MPI_Datatype mpi_type(Type type) {
  const std::array<MPI_Datatype, 12> types = {
      MPI_DATATYPE_NULL,      MPI_SIGNED_CHAR,   MPI_SHORT,          MPI_INT,
      MPI_LONG_LONG,          MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT, MPI_UNSIGNED,
      MPI_UNSIGNED_LONG_LONG, MPI_FLOAT,         MPI_DOUBLE,         MPI_CHAR};
  return types[static_cast<std::size_t>(type)];
}

class PnetcdfFile final : public MpiioFile {
 public:
  PnetcdfFile(const std::string& path, const catalog::Definition& definition, const MpiioAccess& access)
      : MpiioFile(path, definition, access) {
    const MpiInfo info(access.hints);
    rank_ = access.circle.rank();
    const int status = pnetcdf().create(access.circle, path.c_str(), cdf_creation_mode(definition.format), info, &id_);
    if (status != NC_NOERR)
      fail(THALWEG_ERROR_STORAGE, "PnetCDF cannot create '{}': {}{}", path, pnetcdf().strerror(status),
           formats::advice_on_path(path));
    define_cdf(id_, definition, path);
    places_ = cdf_places(id_, definition, path);
    MPI_Info kept = MPI_INFO_NULL;
    pnetcdf().inq_file_info(id_, &kept);
    in_force_ = MpiInfo(kept).hints();
  }

  void write(std::span<const MpiioBlock> blocks, std::int64_t record) override {
    status_ = NC_NOERR;
    if (calls_ == LibraryCalls::independent) note(pnetcdf().begin_indep_data(id_));
    for (const MpiioBlock& block : blocks) put(block, record);
    if (calls_ == LibraryCalls::independent) note(pnetcdf().end_indep_data(id_));
    if (calls_ == LibraryCalls::nonblocking) {
      lengthen(blocks, record);
      note(pnetcdf().wait_all(id_, NC_REQ_ALL, nullptr, nullptr));
    }
    require("write into");
  }

  void sync() override {
    status_ = pnetcdf().sync(id_);
    require("sync");
  }

  // PnetCDF ends a file with the last value, the other engine with the padding behind it, as the format says.
  void close(std::int64_t records) override {
    status_ = pnetcdf().close(id_);
    require("close");
    if (rank_ != 0) return;
    constexpr std::int64_t longest_padding = 3;
    storage::Descriptor file = storage::open_file(path_, O_WRONLY);
    const std::int64_t end = places_.end_of(records);
    const std::int64_t bytes = storage::size_of_file(file, path_);
    if (records > 0 && !places_.begins.empty() && bytes < end - longest_padding)
      fail(THALWEG_ERROR_STORAGE,
           "'{}' has {} bytes, but {} were written: MPI-IO has lost some without saying so; is the disk full?", path_,
           bytes, end);
    storage::resize_file(file, path_, end);
    file.close(path_);
  }

 private:
  void require(const char* action) const {
    if (status_ != NC_NOERR)
      fail(THALWEG_ERROR_STORAGE, "PnetCDF cannot {} '{}': {}", action, path_, pnetcdf().strerror(status_));
  }

  // All variables at once leave the gaps between them, and ROMIO, which reads what it rewrites, puts bytes of its own
  // memory there if the file ends before. So the file is lengthened first: gaps are zeros, as the other engine has
  // them.
  void lengthen(std::span<const MpiioBlock> blocks, std::int64_t record) {
    const bool has_record = std::any_of(blocks.begin(), blocks.end(),
                                        [&](const MpiioBlock& block) { return variable(block.variable).has_record; });
    const std::int64_t end = places_.end_of(has_record ? record + 1 : 0);
    std::error_code error;
    if (rank_ == 0 && std::filesystem::file_size(path_, error) < static_cast<std::uintmax_t>(end))
      std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(end), error);
    if (error) note(NC_EWRITE);
    roles::barrier(circle_);
  }

  void put(const MpiioBlock& block, std::int64_t record) {
    const catalog::Variable& of = variable(block.variable);
    const Slab<MPI_Offset> slab(block, of.has_record, record);
    const bool is_scalar = !of.has_record && of.dimensions.empty();
    if (calls_ == LibraryCalls::independent) {
      if (block.data != nullptr)
        note(pnetcdf().put_vara(id_, block.variable, slab.start.data(), slab.count.data(), block.data, slab.cells,
                                type_of(block)));
    } else if (calls_ == LibraryCalls::nonblocking) {
      announce(block, slab);
    } else if (is_scalar) {  // of which one cannot put nothing
      announce(block, slab);
      note(pnetcdf().wait_all(id_, NC_REQ_ALL, nullptr, nullptr));
    } else {
      note(pnetcdf().put_vara_all(id_, block.variable, slab.start.data(), slab.count.data(), block.data, slab.cells,
                                  type_of(block)));
    }
  }

  void announce(const MpiioBlock& block, const Slab<MPI_Offset>& slab) {
    if (block.data != nullptr)
      note(pnetcdf().iput_vara(id_, block.variable, slab.start.data(), slab.count.data(), block.data, slab.cells,
                               type_of(block), nullptr));
  }

  MPI_Datatype type_of(const MpiioBlock& block) const { return mpi_type(variable(block.variable).type); }

  int rank_ = 0;
  int id_ = -1;
  formats::cdf::CdfPlaces places_;
};

std::unique_ptr<MpiioFile> create_by_pnetcdf(const std::string& path, const catalog::Definition& definition,
                                             const MpiioAccess& access) {
  return std::make_unique<PnetcdfFile>(path, definition, access);
}

}  // namespace

constinit const Library pnetcdf_by_library = {
    .name = "PnetCDF", .load = [] { pnetcdf(); }, .create = create_by_pnetcdf};

}  // namespace thalweg::mpiio
