// A Zarr store as one more format whose metadata a rank owns.
#pragma once

#include <memory>
#include <string>

#include "formats/format_file.hpp"
#include "formats/zarr/file.hpp"

namespace thalweg::formats::zarr {

std::unique_ptr<FormatFile> create_zarr(const std::string& path, const catalog::Definition& definition,
                                        config::Durability durability);

}  // namespace thalweg::formats::zarr
