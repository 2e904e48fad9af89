// How every collective call of inputs begins.
#pragma once

#include <functional>
#include <string>

#include "roles/circle.hpp"

namespace thalweg::read {

// The same call on all ranks, of which some may not be able to make it: what is wrong is thrown on all. Every
// collective call of inputs begins with this, so that ranks that make different ones hear of it by one text. begin:
// what the call is, and does, in words.
void begin_call(const roles::Circle& circle, const std::function<std::string()>& begin);

}  // namespace thalweg::read
