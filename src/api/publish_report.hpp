// What a session did, for people and for programs.
#pragma once

#include "profile/report.hpp"
#include "session/session.hpp"

namespace thalweg::api {

// Rank 0 prints the table and keeps the JSON. Collective over clients and servers.
void publish_report(const session::Session& session, const profile::Report& own);

}  // namespace thalweg::api
