#include "files/series.hpp"

#include <algorithm>
#include <filesystem>

#include "store/format_file.hpp"

namespace thalweg::files {

std::string Series::path_of(const std::string& name) const {
  return (std::filesystem::path(identity.folder) / name).lexically_normal();
}

store::NameRules Series::name_rules() const {
  const config::CollectionSettings& settings = declaration.settings();
  store::NameRules rules{.collection = identity.name,
                         .session_id = identity.session_id,
                         .append = settings.append,
                         .append_is_said = settings.append_is_said,
                         .keep_unfinished = settings.keep_unfinished};
  if (std::ranges::any_of(declaration.definition().variables, &catalog::Variable::has_record))
    rules.start = store::RunStart{schedule.origin().calendar, schedule.origin().reference, schedule.start_time_s()};
  const store::FormatTraits traits = store::traits_of(settings.format);
  rules.begins_as_netcdf = traits.describes && !traits.objects && traits.makes_files;
  return rules;
}

}  // namespace thalweg::files
