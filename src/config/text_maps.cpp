#include "config/text_maps.hpp"

#include <fmt/format.h>

#include "config/parse_value.hpp"

namespace thalweg::config {

bool is_none(const Node& node) {
  return node.kind == Node::Kind::scalar && node.text == "none";
}

const std::vector<Member>& members_of(const Node& node, const std::string& wanted) {
  if (node.kind != Node::Kind::map) throw BadValue(fmt::format("{} is wanted here", wanted));
  return node.members;
}

std::string text_of(const std::map<std::string, std::string>& texts) {
  std::string text;
  for (const auto& [name, value] : texts) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "none" : "{" + text + "}";
}

}  // namespace thalweg::config
