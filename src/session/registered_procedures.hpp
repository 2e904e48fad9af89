// Write procedures that a program names before it starts a session: servers come to know theirs in no other way.
#pragma once

#include <optional>
#include <string>

#include "block/callback.hpp"

namespace thalweg::session {

// For collections of this name in all later sessions of the process. Any thread.
void register_procedure(const std::string& collection, const block::Callback& procedure);
std::optional<block::Callback> registered_procedure(const std::string& collection);

}  // namespace thalweg::session
