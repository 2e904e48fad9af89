#include <algorithm>
#include <array>
#include <memory>

#include "formats/cdf/file.hpp"

namespace thalweg::formats::cdf {
namespace {

std::string text_of_attribute(const catalog::Variable& variable, const char* name) {
  const auto found = std::ranges::find(variable.attributes, name, &catalog::Attribute::name);
  return found == variable.attributes.end() || found->type ? "" : found->text;
}

}  // namespace

FoundRecords first_in_cdf(const std::string& path) {
  const std::unique_ptr<ReadableFile> file = open_readable_cdf(path);
  if (file->records() == 0) return {};
  FoundRecords found{.has_records = true};
  const std::vector<catalog::Variable>& variables = file->definition().variables;
  const auto time = std::ranges::find_if(variables, [&](const catalog::Variable& variable) {
    return variable.has_record && variable.dimensions.empty() && variable.name == file->definition().record_dimension;
  });
  if (time == variables.end()) return found;
  std::array<std::byte, 8> bytes{};
  file->read(static_cast<int>(time - variables.begin()), 0, Box{}, std::span(bytes).first(size_of(time->type)));
  if (const auto value = number_of(time->type, bytes))
    found.first = FirstRecord{*value, text_of_attribute(*time, "units"), text_of_attribute(*time, "calendar")};
  return found;
}

}  // namespace thalweg::formats::cdf
