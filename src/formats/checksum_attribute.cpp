#include "formats/checksum_attribute.hpp"

#include "base/error.hpp"
#include "formats/registry.hpp"

namespace thalweg::formats {
namespace {

catalog::Attribute attribute_of(std::uint64_t sum) {
  return {catalog::checksum_name, std::nullopt, checksum_text(sum), {}};
}

}  // namespace

std::string checksum_text(std::uint64_t sum) {
  return fmt::format("{:16X}", sum);
}

void add_checksums(catalog::Definition& definition, const block::FileSums& sums) {
  if (sums.records.size() > 1)
    fail(THALWEG_ERROR_INTERNAL, "a file of {} records has no checksums that FMS knows", sums.records.size());
  for (std::size_t v = 0; v < definition.variables.size(); ++v) {
    catalog::Variable& variable = definition.variables[v];
    if (!variable.takes_checksum || (variable.has_record && sums.records.empty())) continue;
    variable.attributes.push_back(attribute_of(variable.has_record ? sums.records.front()[v] : sums.fixed[v]));
    variable.takes_checksum = false;
  }
}

std::int64_t header_bytes_of_checksums(const catalog::Definition& definition) {
  std::int64_t bytes = 0;
  for (const catalog::Variable& variable : definition.variables)
    if (variable.takes_checksum) bytes += header_bytes(definition.format, attribute_of(0));
  return bytes;
}

}  // namespace thalweg::formats
