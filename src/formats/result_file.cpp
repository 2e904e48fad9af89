#include "formats/result_file.hpp"

#include "base/error.hpp"
#include "formats/registry.hpp"

namespace thalweg::formats {

std::unique_ptr<ResultFile> create_result(const std::string& path, const catalog::Definition& definition,
                                          std::int64_t records) {
  check_limits(definition);
  const auto create_of_format = row_of(definition.format).create_result;
  if (create_of_format == nullptr)
    fail(THALWEG_ERROR_FORMAT, "'{}' cannot be made: {} are written by models only; set another format", path,
         definition.format->files);
  return create_of_format(path, definition, records);
}

}  // namespace thalweg::formats
