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
  AttributeTexts texts;
  if (is_none(node)) return texts;
  for (const Member& member : members_of(node, "a map of names to texts such as {institution: My Institute}")) {
    check_name(member.key);
    if (member.value.kind != Node::Kind::scalar)
      throw BadValue(fmt::format("'{}' needs a text; a list or map in quotes is one", member.key));
    texts.emplace(member.key, member.value.text);
  }
  return texts;
}

}  // namespace thalweg::config
