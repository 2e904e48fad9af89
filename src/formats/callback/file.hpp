// The model's own procedure in place of files, as the model's side sees it.
#pragma once

#include <memory>

#include "formats/format_file.hpp"

namespace thalweg::formats::callback {

// Stands where a format makes a file: here nobody but the procedure does.
std::unique_ptr<FormatFile> create_nothing();

}  // namespace thalweg::formats::callback
