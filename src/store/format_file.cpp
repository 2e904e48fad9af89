#include "store/format_file.hpp"

#include <bit>

#include "store/cdf_file.hpp"
#include "store/fortran_file.hpp"
#include "store/netcdf4_file.hpp"
#include "store/procedure.hpp"
#include "store/zarr_store.hpp"

namespace thalweg::store {

std::string_view name_of_format(config::Format format) {
  using config::Format;
  switch (format) {
    case Format::cdf1: return "cdf1";
    case Format::cdf2: return "cdf2";
    case Format::cdf5: return "cdf5";
    case Format::netcdf4: return "netcdf4";
    case Format::netcdf4_classic: return "netcdf4-classic";
    case Format::zarr: return "zarr";
    case Format::fortran: return "fortran";
    case Format::user: return "user";
  }
  return "?";
}

FormatTraits traits_of(config::Format format) {
  const bool is_netcdf4 = format == config::Format::netcdf4 || format == config::Format::netcdf4_classic;
  if (format == config::Format::zarr) return {.big_endian = false, .chunked = true, .objects = true};
  if (is_netcdf4) return {.big_endian = false, .chunked = true};
  constexpr bool is_big_endian = std::endian::native == std::endian::big;
  if (format == config::Format::fortran) return {.big_endian = is_big_endian, .chunked = false, .describes = false};
  if (format == config::Format::user) return {.big_endian = is_big_endian, .chunked = false, .makes_files = false};
  return {.big_endian = true, .chunked = false};
}

std::unique_ptr<FormatFile> create(const std::string& path, const catalog::Definition& definition,
                                   config::Durability durability) {
  check_limits(definition);
  if (definition.format == config::Format::zarr) return create_zarr(path, definition, durability);
  if (definition.format == config::Format::fortran) return create_fortran(path, definition);
  if (definition.format == config::Format::user) return create_nothing();
  if (traits_of(definition.format).chunked) return create_netcdf4(path, definition);
  return create_cdf(path, definition);
}

}  // namespace thalweg::store
