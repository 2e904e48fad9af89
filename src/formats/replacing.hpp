// What a new file may take the place of, as far as that depends on what is in the old one.
#pragma once

#include <optional>
#include <string>

#include "config/settings.hpp"
#include "formats/first_record.hpp"
#include "storage/output_name.hpp"

namespace thalweg::formats {

// FolderCheck of all formats.
void require_replaceable(const std::string& folder);

// The rules of a collection. start: nothing, if its files cannot have records. continued: the file whose records the
// collection's first one has too, or the set of such files; "": none.
storage::NameRules name_rules(const config::CollectionSettings& settings, const std::string& session_id,
                              const std::optional<RunStart>& start, const std::string& continued = "");

}  // namespace thalweg::formats
