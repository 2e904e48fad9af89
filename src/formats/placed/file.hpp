// Values in a file that another library has made: it says where they go.
#pragma once

#include <memory>
#include <string>

#include "formats/format_file.hpp"

namespace thalweg::formats::placed {

// Makes nothing and touches no path: the file is there before its values are written, with a header, a journal if any
// and a length that are its maker's. Errors: INTERNAL, if the definition does not say where each variable is.
std::unique_ptr<FormatFile> create_placed(const std::string& path, const catalog::Definition& definition,
                                          config::Durability durability);

}  // namespace thalweg::formats::placed
