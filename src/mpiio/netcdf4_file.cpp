#include "mpiio/netcdf4_file.hpp"

#include <array>

#include "base/error.hpp"
#include "formats/mpi_path.hpp"
#include "formats/netcdf4/define.hpp"
#include "formats/netcdf4/library.hpp"
#include "mpiio/mpi_hints.hpp"
#include "roles/meeting.hpp"

namespace thalweg::mpiio {
namespace {

using config::LibraryCalls;

// Says so if MPI-IO cannot create the file: netCDF-C (4.9.0) frees a communicator twice when HDF5 then fails, and Open
// MPI may end the job for that. Collective.
void require_creatable(const std::string& path, const MpiioAccess& access, MPI_Info info) {
  MPI_File file = MPI_FILE_NULL;
  const int status = MPI_File_open(access.circle, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
  if (status == MPI_SUCCESS) {
    MPI_File_close(&file);
    return;
  }
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  fail(THALWEG_ERROR_STORAGE, "netCDF cannot create '{}': {}{}", path, text.data(), formats::advice_on_path(path));
}

class Netcdf4File final : public MpiioFile {
 public:
  Netcdf4File(const std::string& path, const catalog::Definition& definition, const MpiioAccess& access)
      : MpiioFile(path, definition, access) {
    const MpiInfo info(access.hints);
    require_creatable(path, access, info);
    id_ = formats::netcdf4::define_netcdf4_for_all(path, definition, access.circle, info);
    for (std::size_t v = 0; v < definition.variables.size(); ++v)
      note(formats::netcdf4::nc().var_par_access(id_, static_cast<int>(v),
                                                 is_collective(static_cast<int>(v)) ? NC_COLLECTIVE : NC_INDEPENDENT));
    require("set the access to");
    in_force_ = mpiio::hints_in_force(access.circle, path, info);
  }

  void write(std::span<const MpiioBlock> blocks, std::int64_t record) override {
    status_ = NC_NOERR;
    for (const MpiioBlock& block : blocks)
      if (!has_failed_) put(block, record);
    require("write into");
  }

  void sync() override {
    status_ = formats::netcdf4::nc().sync(id_);
    require("sync");
  }

  void close(std::int64_t /*records*/) override {
    status_ = formats::netcdf4::nc().close(id_);
    require("close");
  }

 private:
  void require(const char* action) const {
    if (status_ != NC_NOERR)
      fail(THALWEG_ERROR_STORAGE, "netCDF cannot {} '{}': {}", action, path_, formats::netcdf4::nc().strerror(status_));
  }

  // A record extends a variable, and HDF5 extends only when all ranks do; filters are for all ranks too. Of a scalar
  // one cannot put nothing, so there its owner is alone.
  bool is_collective(int number) const {
    const catalog::Variable& of = variable(number);
    if (of.has_record || of.encoding.changes_size()) return true;
    return calls_ == LibraryCalls::collective && !of.dimensions.empty();
  }

  void put(const MpiioBlock& block, std::int64_t record) {
    if (block.data == nullptr && !is_collective(block.variable)) return;
    static constexpr std::array<std::byte, 8> nothing{};
    const Slab<std::size_t> slab(block, variable(block.variable).has_record, record);
    note(formats::netcdf4::nc().put_vara(id_, block.variable, slab.start.data(), slab.count.data(),
                                         block.data != nullptr ? block.data : nothing.data()));
    if (is_collective(block.variable)) agree();
  }

  // HDF5 leaves out steps that others wait in, after it has failed on a rank; so none goes on.
  void agree() { has_failed_ = roles::reduced(circle_, status_ == NC_NOERR ? 0 : 1, MPI_INT, MPI_MAX) != 0; }

  int id_ = -1;
  bool has_failed_ = false;  // on any rank
};

std::unique_ptr<MpiioFile> create_by_netcdf4(const std::string& path, const catalog::Definition& definition,
                                             const MpiioAccess& access) {
  return std::make_unique<Netcdf4File>(path, definition, access);
}

// HDF5 leaves out what others wait in, where a write fails on one rank only; by two-phase writing all hear of it.
constexpr std::array<std::pair<const char*, const char*>, 1> hints_of_netcdf4 = {{{"romio_cb_write", "enable"}}};

}  // namespace

constinit const Library netcdf4_by_library = {.name = "netCDF-4",
                                              .load = [] { formats::netcdf4::nc(); },
                                              .create = create_by_netcdf4,
                                              .extends_alone = false,
                                              .hints = hints_of_netcdf4};

}  // namespace thalweg::mpiio
