#include "netcdf/file_name.hpp"

#include <algorithm>
#include <filesystem>

namespace thalweg::netcdf {

std::string FileName::collection() const {
  std::string stem = std::filesystem::path(path).filename();
  stem.resize(std::min(stem.find('.', 1), stem.size()));
  const auto end = stem.find_last_not_of("0123456789-_");
  if (end != std::string::npos && stem.find_first_of("0123456789", end) != std::string::npos) stem.resize(end + 1);
  return stem;
}

}  // namespace thalweg::netcdf
