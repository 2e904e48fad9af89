// Attributes that change from file to file. Each rank changes its own declaration; which file is the first with the
// change follows from the order of calls alone, so nobody is asked. That all ranks changed the same is seen at the end.
#pragma once

#include <string>

#include "session/collection.hpp"

namespace thalweg::session {

// variable: empty for an attribute of the file. Errors: STATE before definitions have ended, or once the next file has
// begun; FORMAT, where the header has no room.
void change_attribute(Collection& collection, const std::string& variable, const catalog::Attribute& attribute);

}  // namespace thalweg::session
