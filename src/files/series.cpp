#include "files/series.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "files/continued.hpp"
#include "formats/replacing.hpp"

namespace thalweg::files {

std::string Series::path_of(const std::string& name) const {
  return (std::filesystem::path(identity.folder) / name).lexically_normal();
}

storage::NameRules Series::name_rules() const {
  std::optional<formats::RunStart> start;
  const catalog::Definition& definition = declaration.definition();  // what has one record cannot lack any
  if (!declaration.settings().ends_with_record() &&
      std::ranges::any_of(definition.variables, &catalog::Variable::has_record))
    start = formats::RunStart{schedule.origin().calendar, schedule.origin().reference, schedule.clock().start_s()};
  return formats::name_rules(declaration.settings(), identity.session_id, start, continued ? continued->name : "");
}

}  // namespace thalweg::files
