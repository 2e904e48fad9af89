// Names that stand for texts: ${name} in any value of the configuration.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "config/grammar.hpp"

namespace thalweg::config {

using TextVariables = std::map<std::string, std::string>;

// The key that says them.
constexpr const char* variables_key = "variables";

Entry text_variables();

// Those of a document, over which the environment's prevail; without what is wrong, which its key says.
TextVariables variables_of(const Node& root);

using OnFault = std::function<void(Place, const std::string&)>;
// Puts their texts into all values below.
void replace_variables(Node& node, const TextVariables& variables, const OnFault& on_fault);

}  // namespace thalweg::config
