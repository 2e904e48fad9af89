// A session that its clients drive, by commands.
#pragma once

#include "session/session.hpp"

namespace thalweg::server {

// Until the clients finish: then Session::finish follows. Errors: what ended the session early.
void serve(session::Session& session);

}  // namespace thalweg::server
