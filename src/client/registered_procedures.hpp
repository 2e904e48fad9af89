// Write procedures that a program names before it starts a session: servers come to know theirs in no other way.
#pragma once

#include <optional>
#include <string>

#include "store/procedure.hpp"

namespace thalweg::client {

// For collections of this name in all later sessions of the process. Any thread.
void register_procedure(const std::string& collection, const store::Procedure& procedure);
std::optional<store::Procedure> registered_procedure(const std::string& collection);

}  // namespace thalweg::client
