#include "formats/netcdf4/format.hpp"

#include "formats/netcdf4/file.hpp"
#include "formats/netcdf4/first_record.hpp"
#include "formats/netcdf4/virtual.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

constexpr config::FormatLibrary parallel_netcdf4 = {
    .name = "netCDF-4",
    .compresses = true,
    .not_announced =
        "nonblocking calls exist in PnetCDF only; set format: cdf5 (or cdf1, cdf2), or library-calls: collective"};

constexpr FormatRow row(std::string_view name) {
  return {.description = {.name = name,
                          .files = "netCDF-4",
                          .magic = "\x89HDF\r\n\x1a\n",
                          .traits = {.chunks = {.filters = config::ChunkFilters::hdf5,
                                                .shuffles_alone = true,
                                                .skips_codec = true}},
                          .library = &parallel_netcdf4},
          .create = create_netcdf4,
          .begin = begin_hdf5,
          .create_result = create_result_netcdf4,
          .create_virtual = create_virtual_netcdf4,
          .open = open_readable_netcdf4,
          .first_record = first_in_netcdf4,
          .recover = recover_netcdf4};
}

}  // namespace

constinit const FormatRow netcdf4 = [] {
  FormatRow made = row("netcdf4");
  made.description.kind = "a netCDF-4 (HDF5) file";
  return made;
}();

constinit const FormatRow netcdf4_classic = [] {
  FormatRow made = row("netcdf4-classic");
  made.limits.is_classic = true;
  return made;
}();

}  // namespace thalweg::formats::netcdf4
