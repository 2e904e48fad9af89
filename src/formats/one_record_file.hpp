// A file that has no record dimension, of a collection whose every record is one: what is a record to everybody else
// has no number in it.
#pragma once

#include <memory>

#include "formats/format_file.hpp"

namespace thalweg::formats {

// file: made by catalog::in_files.
std::unique_ptr<FormatFile> one_record_file(std::unique_ptr<FormatFile> file);

}  // namespace thalweg::formats
