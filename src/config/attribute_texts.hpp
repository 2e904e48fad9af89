// Attributes that the configuration gives: names and texts.
#pragma once

#include "config/entries.hpp"
#include "config/text_maps.hpp"

namespace thalweg::config {

using AttributeTexts = std::map<std::string, std::string>;

// A map of names to texts, or none. Throws BadValue for a name that is none, and for those that stand for numbers.
AttributeTexts attribute_texts_of(const Node& node);

// A key of a file's or a variable's attributes. They are added to those that were said before, as in the defaults.
template <typename Owner>
Entry attributes(std::string_view path, std::string_view text) {
  constexpr auto member = &Owner::attributes;
  Entry entry = entry_of(path, "map of names to texts such as `{institution: My Institute}`, or `none`", text);
  entry.default_text = "none";
  entry.accept = [](const Target& target, const Node& node) {
    AttributeTexts said = attribute_texts_of(node);
    AttributeTexts& known = in(target, static_cast<Owner*>(nullptr)).*member;
    if (!said.empty()) said.merge(known);
    known = std::move(said);
  };
  entry.show = [](const Target& target) { return text_of(in(target, static_cast<Owner*>(nullptr)).*member); };
  return entry;
}

}  // namespace thalweg::config
