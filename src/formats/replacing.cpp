#include "formats/replacing.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "formats/registry.hpp"
#include "storage/part_name.hpp"

namespace thalweg::formats {
namespace {

// A run that goes on in the middle of the period of a file would leave nothing of what the run before has written.
void require_no_first_half(const std::string& collection, const RunStart& start, const std::string& path) {
  std::string why;
  const Before before = has_records_before(path, start, &why);
  const bool goes_on = start.time_s > 0.0;
  if (before == Before::no || (before == Before::unknown && !goes_on)) return;
  const std::string date = date_text(start, start.time_s);
  fail(THALWEG_ERROR_STORAGE,
       "collection '{}': '{}' is complete and {} records from before the start of this run ({}), which would be lost; "
       "say 'append: continue' in the configuration to go on with it, or 'append: new' to replace it; or move it away, "
       "or give the file another name (a part of the date in 'file', thalweg_new_file)",
       collection, path,
       before == Before::yes ? "has" : fmt::format("may have (its times cannot be read here: {})", why), date);
}

}  // namespace

void require_replaceable(const std::string& folder) {
  const FormatRow* row = row_at(folder);
  if (row == nullptr || row->require_alone == nullptr)
    fail(THALWEG_ERROR_STORAGE, "'{}' is a folder, so it is not replaced; remove it, or choose another name", folder);
  row->require_alone(folder);
}

storage::NameRules name_rules(const config::CollectionSettings& settings, const std::string& session_id,
                              const std::optional<RunStart>& start, const std::string& continued) {
  const bool replaces_any = settings.append_is_said && settings.append == config::Append::new_file;
  storage::NameRules rules{.collection = settings.name,
                           .session_id = session_id,
                           .append = settings.append,
                           .replaces_any = replaces_any,
                           .replaces_in_turn = settings.cycle > 0,
                           .keep_unfinished = settings.keep_unfinished,
                           .can_have_records = start.has_value(),
                           .has_magic = !settings.format->magic.empty(),
                           .check_folder = require_replaceable};
  if (start && !replaces_any)
    rules.check_complete = [collection = settings.name, start = *start, continued](const std::string& path) {
      const auto part = storage::parse_part_name(path);
      if (path != continued && !(part && part->set == continued)) require_no_first_half(collection, start, path);
    };
  return rules;
}

}  // namespace thalweg::formats
