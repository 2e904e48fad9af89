// What this rank's part of a time line says of the rank.
#pragma once

#include <cstdint>

#include "profile/time_line.hpp"
#include "session/session.hpp"

namespace thalweg::api {

// Until now, by its own clock.
profile::RankOfLine line_of_rank(session::Session& session);

// Processes of one kernel have one monotonic clock, unless they are in different time namespaces.
std::int64_t number_of_clock();

}  // namespace thalweg::api
