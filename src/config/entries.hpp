// Entries of the grammar, made from members of the settings.
#pragma once

#include <string>
#include <utility>
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

inline Entry entry_of(const std::string& path, const std::string& kind, const std::string& text) {
  Entry entry;
  entry.path = path;
  entry.kind = kind;
  entry.text = text;
  return entry;
}

// A key whose value is stored where `place` says, in the settings that are the target.
template <typename T, typename Place>
Entry value_at(const std::string& path, Place place, const Values<T>& codec, const std::string& default_text,
               const std::string& text) {
  Entry entry = entry_of(path, codec.kind, text);
  entry.allowed = codec.allowed;
  entry.default_text = default_text;
  entry.accept = [place, parse = codec.parse](const Target& target, const Node& node) { place(target) = parse(node); };
  entry.show = [place, format = codec.format](const Target& target) { return format(place(target)); };
  return entry;
}

// In a member of the settings.
template <typename Owner, typename T>
Entry value(const std::string& path, T Owner::* member, const Values<T>& codec, const std::string& default_text,
            const std::string& text, std::vector<std::string> renamed = {}) {
  const auto place = [member](const Target& target) -> T& { return in(target, static_cast<Owner*>(nullptr)).*member; };
  Entry entry = value_at(path, place, codec, default_text, text);
  entry.renamed = std::move(renamed);
  return entry;
}

// In a member of one of the settings' members: a key of a section.
template <typename Owner, typename Section, typename T>
Entry value_in(const std::string& path, Section Owner::* section, T Section::* member, const Values<T>& codec,
               const std::string& default_text, const std::string& text) {
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

Entry section(const std::string& path, const std::string& word_sets, const std::string& text);

// What is read by time.
std::vector<Entry> forcing_entries();

// Fields that a collection chooses.
std::vector<Entry> field_entries();

// The keys of a collection, and of its variables.
std::vector<Entry> collection_entries();

}  // namespace thalweg::config
