// Values that name another I/O library, and what the reference says of it, from its row.
#pragma once

#include <string>

#include "config/settings.hpp"
#include "config/values.hpp"

namespace thalweg::config {

Values<Dialect> dialect_or_none();
Values<Report> report_names();
// "; fms: those of FMS" for each.
std::string notes_on_options();
std::string notes_on_reports();

}  // namespace thalweg::config
