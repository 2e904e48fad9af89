#include "store/readable_file.hpp"

#include <fcntl.h>

#include <array>
#include <cstring>
#include <string_view>

#include "base/error.hpp"
#include "store/posix.hpp"

namespace thalweg::store {

std::unique_ptr<ReadableFile> open_readable(const std::string& path) {
  using namespace std::string_view_literals;
  std::array<std::byte, 8> magic{};
  {
    const Descriptor file = open_file(path, O_RDONLY);
    read_all(file, path, 0, magic);
  }
  const auto starts_with = [&](std::string_view text) {
    return std::memcmp(magic.data(), text.data(), text.size()) == 0;
  };
  if (starts_with("CDF\1"sv) || starts_with("CDF\2"sv) || starts_with("CDF\5"sv)) return open_readable_cdf(path);
  if (starts_with("\x89HDF\r\n\x1a\n"sv)) return open_readable_netcdf4(path);
  fail(THALWEG_ERROR_FORMAT, "'{}' is neither a netCDF classic (CDF-1, 2, 5) nor a netCDF-4 (HDF5) file", path);
}

}  // namespace thalweg::store
