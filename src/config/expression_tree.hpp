// What the grammar of expressions makes its trees by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/expression.hpp"

namespace thalweg::config {

// A fault of an expression; the place is in bytes from its begin.
struct ExpressionFault {
  std::size_t at;
  std::string text;
};

// A call by its name, or its operator. Throws ExpressionFault for a name that is none, and for arguments that it cannot
// have.
Term called(std::string_view name, std::size_t begin, std::size_t end, std::vector<Term> arguments);

// Throws ExpressionFault.
Term parse_terms(const std::string& text);

}  // namespace thalweg::config
