#include "formats/format_file.hpp"

#include "formats/one_record_file.hpp"
#include "formats/registry.hpp"

namespace thalweg::formats {

std::unique_ptr<FormatFile> create(const std::string& path, const catalog::Definition& definition,
                                   config::Durability durability) {
  check_limits(definition);
  const auto make = row_of(definition.format).create;
  if (!definition.one_record) return make(path, definition, durability);
  return one_record_file(make(path, catalog::in_files(definition), durability));
}

void begin_libraries() {
  for (const FormatRow* row : format_rows())
    if (row->begin != nullptr) row->begin();
}

}  // namespace thalweg::formats
