// What the threads of a session did, and when.
#pragma once

#include "session/session.hpp"

namespace thalweg::api {

// Rank 0 keeps the time lines of all ranks as one file. Collective over clients and servers, if the settings ask for
// it.
void publish_time_line(session::Session& session);

}  // namespace thalweg::api
