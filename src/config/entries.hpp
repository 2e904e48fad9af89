// Entries of the grammar, made from members of the settings.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "config/grammar.hpp"
#include "config/values.hpp"

namespace thalweg::config {

inline Settings& in(const Target& target, Settings* /*owner*/) {
  return *target.session;
}
inline CollectionSettings& in(const Target& target, CollectionSettings* /*owner*/) {
  return *target.collection;
}
inline VariableSettings& in(const Target& target, VariableSettings* /*owner*/) {
  return *target.variable;
}
inline ForcingSettings& in(const Target& target, ForcingSettings* /*owner*/) {
  return *target.forcing;
}

Entry entry_of(std::string_view path, std::string_view kind, std::string_view text);

// A key whose value is stored where `place` says, in the settings that are the target.
template <typename T, typename Place>
Entry value_at(std::string_view path, Place place, const Values<T>& codec, std::string_view default_text,
               std::string_view text) {
  Entry entry = entry_of(path, codec.kind, text);
  entry.allowed = codec.allowed;
  entry.default_text = default_text;
  entry.accept = [place, parse = codec.parse](const Target& target, const Node& node) { place(target) = parse(node); };
  entry.show = [place, format = codec.format](const Target& target) { return format(place(target)); };
  return entry;
}

// In a member of the settings.
template <typename Owner, typename T>
Entry value(std::string_view path, T Owner::* member, const Values<T>& codec, std::string_view default_text,
            std::string_view text, std::initializer_list<const char*> renamed = {}) {
  const auto place = [member](const Target& target) -> T& { return in(target, static_cast<Owner*>(nullptr)).*member; };
  Entry entry = value_at(path, place, codec, default_text, text);
  entry.renamed.assign(renamed.begin(), renamed.end());
  return entry;
}

// In a member of one of the settings' members: a key of a section.
template <typename Owner, typename Section, typename T>
Entry value_in(std::string_view path, Section Owner::* section, T Section::* member, const Values<T>& codec,
               std::string_view default_text, std::string_view text) {
  const auto place = [section, member](const Target& target) -> T& {
    return (in(target, static_cast<Owner*>(nullptr)).*section).*member;
  };
  return value_at(path, place, codec, default_text, text);
}

template <typename Map>
std::vector<std::string> names_in(const Map& map) {
  std::vector<std::string> names;
  for (const auto& [name, item] : map) names.push_back(name);
  return names;
}

Entry section(std::string_view path, std::string_view word_sets, std::string_view text);

// What is read by time.
std::vector<Entry> forcing_entries();

// Fields that a collection chooses.
std::vector<Entry> field_entries();

// The keys of a collection, and of its variables.
std::vector<Entry> collection_entries();

}  // namespace thalweg::config
