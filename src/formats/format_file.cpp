#include "formats/format_file.hpp"

#include "formats/registry.hpp"

namespace thalweg::formats {

std::unique_ptr<FormatFile> create(const std::string& path, const catalog::Definition& definition,
                                   config::Durability durability) {
  check_limits(definition);
  return row_of(definition.format).create(path, definition, durability);
}

void begin_libraries() {
  for (const FormatRow* row : format_rows())
    if (row->begin != nullptr) row->begin();
}

}  // namespace thalweg::formats
