#include "formats/readable_file.hpp"

#include "base/error.hpp"
#include "formats/registry.hpp"

namespace thalweg::formats {

std::unique_ptr<ReadableFile> open_readable(const std::string& path, Unreadable unreadable) {
  const FormatRow* row = row_at(path);
  if (row == nullptr || row->open == nullptr)
    fail(THALWEG_ERROR_FORMAT, "'{}' is neither {}", path,
         kinds_where([](const FormatRow& known) { return known.open != nullptr; }));
  return row->open(path, unreadable);
}

}  // namespace thalweg::formats
