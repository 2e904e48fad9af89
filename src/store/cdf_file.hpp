// CDF-1, CDF-2 and CDF-5: PnetCDF makes the header and says where variables and records start.
#pragma once

#include <memory>
#include <string>

#include "store/format_file.hpp"

namespace thalweg::store {

std::unique_ptr<FormatFile> create_cdf(const std::string& path, const catalog::Definition& definition);

}  // namespace thalweg::store
