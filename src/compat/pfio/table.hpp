// The table that PFIO prints with --with_io_profiler, for those who compare the two. Which of our times stands in which
// row is said in docs/from-pfio.md.
#pragma once

#include <string>
#include <vector>

#include "profile/report.hpp"

namespace thalweg::compat::pfio {

// Clients, and where there are servers, what their main threads did: a table for each group of them.
std::string profiler_table(const std::vector<profile::Report>& reports);

}  // namespace thalweg::compat::pfio
