// Faults of YAML's grammar in words that say what to do, at the place of their cause: the parser names the place at
// which it could not go on, which is often a line later.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "config/document.hpp"

namespace thalweg::config {

// place, message: of the parser.
SyntaxFault explain_fault(const std::string& yaml, Place place, const std::string& message);

// The parser takes a quoted text that never ends for one that ends with the document. begin: where it says that a value
// begins, in bytes behind the byte order mark, which it leaves out.
bool is_quote_left_open(std::string_view yaml, std::size_t begin);

}  // namespace thalweg::config
