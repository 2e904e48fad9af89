// Which variables get the attribute `checksum` of FMS. docs/formats/checksums.md says what that is.
#pragma once

#include "catalog/variables.hpp"
#include "config/settings.hpp"

namespace thalweg::catalog {

// Notes it with each variable that is no axis. Errors: CONFIG for one for which it would not be what FMS computes.
void declare_checksums(const config::CollectionSettings& settings, const Variables& variables, Definition& definition);

}  // namespace thalweg::catalog
