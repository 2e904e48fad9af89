// The configuration's grammar as data: one entry a key. Reading, checking, the echo and the reference come from it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/document.hpp"
#include "config/settings.hpp"

namespace thalweg::config {

// What the keys of one map are stored into; the innermost one that is set is the map's own.
struct Target {
  Settings* session = nullptr;
  CollectionSettings* collection = nullptr;
  VariableSettings* variable = nullptr;
  ForcingSettings* forcing = nullptr;

  bool is_of_collection() const { return collection != nullptr && variable == nullptr; }
};

struct Entry {
  std::string path;                  // "staging", "collections.*.every"; * stands for a name the user gives
  std::string kind;                  // "bytes, at least 1 MiB"
  std::vector<std::string> allowed;  // words; empty if kind says it
  std::string default_text;          // canonical; "<name>" in it is the collection's name
  std::string text;                  // one line: the meaning
  std::vector<std::string> renamed;  // what the key is called elsewhere, or was called before

  // Of a key with a value: stores the node's value (throws BadValue), and gives the stored one as canonical text.
  std::function<void(const Target&, const Node&)> accept;
  std::function<std::string(const Target&)> show;

  // Of a map of names: gives (and makes) what belongs to a name, and the names there are.
  std::function<Target(const Target&, const std::string&)> open;
  std::function<std::vector<std::string>(const Target&)> names;

  // Of a map whose keys are those of another one: below which pattern they stand. `open` gives whose they are.
  std::string keys_of{};

  // Of a section, which only holds further keys: the one of them that a single word in its place sets.
  std::string word_sets{};

  bool is_section() const { return !word_sets.empty(); }
  bool is_map_of_names() const { return static_cast<bool>(names); }
  bool has_value() const { return static_cast<bool>(accept); }
  std::string key() const { return path.substr(path.rfind('.') + 1); }               // "every"
  std::string parent() const { return path.substr(0, path.size() - key().size()); }  // "collections.*."
};

// In the order of the reference and the echo.
const std::vector<Entry>& grammar();

// The entries directly below a pattern: "" or "collections.*.".
std::vector<const Entry*> entries_below(const std::string& parent);

// Null if there is none.
const Entry* find_entry(const std::string& parent, const std::string& key);

// A key as it is explained to users.
struct ReferenceRow {
  std::string key;       // "collections.NAME.every"
  std::string values;    // in words
  std::string fallback;  // what it is unless said; may be empty
  std::string meaning;
};
std::vector<ReferenceRow> reference();

// The same as a page.
std::string reference_markdown();

}  // namespace thalweg::config
