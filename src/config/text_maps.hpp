// Values that are maps of names of somebody else's to texts: hints, attributes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/document.hpp"

namespace thalweg::config {

// The word that stands for no map at all.
bool is_none(const Node& node);

// The members of a map. wanted: "a map such as {…}", for the fault. Throws BadValue.
const std::vector<Member>& members_of(const Node& node, const std::string& wanted);

// "{a: b, c: d}", or "none".
std::string text_of(const std::map<std::string, std::string>& texts);

}  // namespace thalweg::config
