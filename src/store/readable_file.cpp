#include "store/readable_file.hpp"

#include <fcntl.h>

#include "base/error.hpp"
#include "store/first_bytes.hpp"

namespace thalweg::store {

std::unique_ptr<ReadableFile> open_readable(const std::string& path) {
  const FirstBytes begin = first_bytes(open_file(path, O_RDONLY), path);
  if (begin.is_cdf()) return open_readable_cdf(path);
  if (begin.is_hdf5()) return open_readable_netcdf4(path);
  fail(THALWEG_ERROR_FORMAT, "'{}' is neither a netCDF classic (CDF-1, 2, 5) nor a netCDF-4 (HDF5) file", path);
}

}  // namespace thalweg::store
