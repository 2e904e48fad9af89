// Where the model's side and the writer meet.
#pragma once

#include <vector>

#include "client/session.hpp"
#include "config/settings.hpp"

namespace thalweg::api {

// Makes the writer of a node, with as many threads as the node's ranks have processors, unless the configuration says a
// number.
client::MakeWriter writer_maker(const config::Settings& settings, const std::vector<int>& processors);

}  // namespace thalweg::api
