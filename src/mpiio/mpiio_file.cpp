#include "mpiio/mpiio_file.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "mpiio/netcdf4_file.hpp"
#include "mpiio/pnetcdf_file.hpp"

namespace thalweg::mpiio {

const Library& library_of(config::Format format) {
  const std::array all = {&pnetcdf_by_library, &netcdf4_by_library};
  const auto library = std::ranges::find(all, format->library->name, [](const Library* known) { return known->name; });
  if (library == all.end()) fail(THALWEG_ERROR_INTERNAL, "library '{}' has no row", format->library->name);
  return **library;
}

std::unique_ptr<MpiioFile> create_mpiio_file(const std::string& path, const catalog::Definition& definition,
                                             const MpiioAccess& access) {
  return library_of(definition.format).create(path, definition, access);
}

}  // namespace thalweg::mpiio
