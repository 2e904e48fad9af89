// Keys that collections share by name: `templates`, and `extends`, by which a collection has them.
#pragma once

#include <functional>
#include <string>

#include "config/grammar.hpp"

namespace thalweg::config {

constexpr const char* templates_key = "templates";
constexpr const char* extends_key = "extends";

Entry templates();
Entry extends();

// Puts what the templates of a document say into the collections that extend them. Keys have the places where they
// stand. fault: of a template that is not there, or that extends itself.
void extend_collections(Node& root, const std::function<void(Place, const std::string&)>& fault);

}  // namespace thalweg::config
