// A command that clients gave, made on a server's session.
#pragma once

#include "session/commands.hpp"
#include "session/session.hpp"

namespace thalweg::server {

// Errors: those of the call that the command tells of.
void replay(session::Session& session, const session::commands::Command& command);

}  // namespace thalweg::server
