// How messages name the calls of Thalweg: as the language has them in which the program began its session (told.hpp).
#pragma once

#include <string>

namespace thalweg::told {

// The text, in which C's names of calls become those of the language. Python's are the words behind the prefix, and
// C++'s are near them, so both are told C's.
std::string calls(std::string text);

}  // namespace thalweg::told
