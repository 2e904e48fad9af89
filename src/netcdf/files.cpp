#include "netcdf/files.hpp"

#include <exception>
#include <tuple>

#include "base/error.hpp"

namespace thalweg::netcdf {
namespace {

std::string format_of(int mode) {
  if ((mode & netcdf4) != 0) return "netcdf4";
  if ((mode & data_64bit) != 0) return "cdf5";
  return (mode & offset_64bit) != 0 ? "cdf2" : "cdf1";
}

}  // namespace

void Files::create(int number, const std::string& path, int mode) {
  if (path.empty()) fail(THALWEG_ERROR_ARGUMENT, "a file needs a name");
  for (const auto& [other, file] : open_)
    if (file.path() == path)
      fail(THALWEG_ERROR_NAME, "file '{}' is open already, with the number {}; close it first", path, other);
  open_.emplace(
      std::piecewise_construct, std::tuple(number),
      std::forward_as_tuple(session_, collections_, FileName{path, format_of(mode), (mode & no_clobber) == 0}));
}

File& Files::at(int number) {
  const auto found = open_.find(number);
  if (found == open_.end()) fail(THALWEG_ERROR_STATE, "the file with the number {} is closed", number);
  return found->second;
}

void Files::close(int number) {
  at(number);
  const auto closing = open_.extract(number);
  closing.mapped().close();
}

void Files::close_all() {
  std::exception_ptr first;
  while (!open_.empty()) try {
      close(open_.begin()->first);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  if (first) std::rethrow_exception(first);
}

}  // namespace thalweg::netcdf
