// Files written by PnetCDF.
#pragma once

#include "store/library_file.hpp"

namespace thalweg::store {

std::unique_ptr<LibraryFile> create_cdf_by_library(const std::string& path, const catalog::Definition& definition,
                                                   const LibraryAccess& access);

}  // namespace thalweg::store
