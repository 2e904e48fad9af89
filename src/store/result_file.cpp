#include "store/result_file.hpp"

#include "store/format_file.hpp"

namespace thalweg::store {

std::unique_ptr<ResultFile> create_result(const std::string& path, const catalog::Definition& definition,
                                          std::int64_t records) {
  check_limits(definition);
  if (definition.format == config::Format::netcdf4) return create_result_netcdf4(path, definition);
  return create_result_cdf(path, definition, records);
}

}  // namespace thalweg::store
