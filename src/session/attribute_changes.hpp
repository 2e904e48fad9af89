// Attributes that change from file to file. Each rank changes its own declaration; which file is the first with the
// change follows from the order of calls alone, so nobody is asked. That all ranks changed the same is seen at the end.
#pragma once

#include <optional>
#include <string>

#include "catalog/given_attribute.hpp"
#include "session/collection.hpp"

namespace thalweg::session {

// variable: empty for an attribute of the file. Errors: STATE before definitions have ended, or once the next file has
// begun; FORMAT, where the header has no room.
void change_attribute(Collection& collection, const std::string& variable, const catalog::Attribute& attribute);

// What the collection's open file is to have when it is complete; nothing of a variable that is switched off, where the
// header has no room, and where the files take none so late, which is a warning, by who speaks: it is not worth the run
// of a model that is at its end. Errors: STATE where none is open, or this rank may have begun the next one; NAME.
std::optional<catalog::GivenAttribute> add_attribute(Collection& collection, const std::string& variable,
                                                     const catalog::Attribute& attribute, bool speaks);

}  // namespace thalweg::session
