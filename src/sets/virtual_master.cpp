#include "sets/virtual_master.hpp"

#include <vector>

#include "formats/registry.hpp"

namespace thalweg::sets {
namespace {

formats::VirtualSources virtual_sources(const catalog::Variable& variable, std::span<const SetPart> parts) {
  formats::VirtualSources sources;
  for (const Source& source : sources_of(variable, parts))
    sources.push_back({parts[static_cast<std::size_t>(source.part)].file, source.box});
  return sources;
}

}  // namespace

bool has_virtual_master(config::Format format) {
  return formats::row_of(format).create_virtual != nullptr;
}

void create_virtual_master(const std::string& path, const catalog::Definition& whole, std::span<const SetPart> parts) {
  check_distinct(parts);
  std::vector<formats::VirtualSources> sources;
  for (const catalog::Variable& variable : whole.variables) sources.push_back(virtual_sources(variable, parts));
  formats::row_of(whole.format).create_virtual(path, whole, sources);
}

}  // namespace thalweg::sets
