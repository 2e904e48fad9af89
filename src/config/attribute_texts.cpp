#include "config/attribute_texts.hpp"

#include <array>

namespace thalweg::config {
namespace {

// (source: NetCDF Users Guide, "Attribute Conventions"; CF conventions, appendix A: attributes of type N or D)
constexpr std::array numeric = {"_FillValue", "missing_value", "scale_factor", "add_offset",   "valid_min",
                                "valid_max",  "valid_range",   "flag_values",  "actual_range", "flag_masks"};

void check_name(const std::string& name) {
  if (name.empty() || name.find('/') != std::string::npos)
    throw BadValue(fmt::format("'{}' is no name of an attribute", name));
  if (std::ranges::find(numeric, name) != numeric.end())
    throw BadValue(fmt::format("'{}' is a number or several, and these are texts; have the model define it", name));
}

}  // namespace

AttributeTexts attribute_texts_of(const Node& node) {
  if (node.kind == Node::Kind::scalar && node.text == "none") return {};
  if (node.kind != Node::Kind::map)
    throw BadValue("a map of names to texts such as {institution: My Institute} is wanted here");
  AttributeTexts texts;
  for (const Member& member : node.members) {
    check_name(member.key);
    if (member.value.kind != Node::Kind::scalar)
      throw BadValue(fmt::format("'{}' needs a text; a list or map in quotes is one", member.key));
    if (!texts.emplace(member.key, member.value.text).second)
      throw BadValue(fmt::format("'{}' is said twice", member.key));
  }
  return texts;
}

std::string text_of(const AttributeTexts& texts) {
  std::string text;
  for (const auto& [name, value] : texts) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "none" : "{" + text + "}";
}

}  // namespace thalweg::config
