// From the tree of a YAML text to settings: every key is looked up in the grammar.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "base/names.hpp"
#include "config/draft.hpp"
#include "config/parse_value.hpp"
#include "config/templates.hpp"
#include "config/text_variables.hpp"

namespace thalweg::config {
namespace {

// "collections.*." as a reader knows it.
std::string level_text(const std::string& parent) {
  if (parent.empty()) return "at the top level";
  std::string path = parent.substr(0, parent.size() - 1);
  for (const char* const name : {"NAME", "VARIABLE"})
    if (const auto star = path.find('*'); star != std::string::npos) path.replace(star, 1, name);
  return "in " + path;
}

// Why a key is not known at this level, and which one may be meant.
std::string unknown_key_text(const std::string& parent, const std::string& key) {
  const std::string unknown = fmt::format("unknown key '{}'", key);
  std::vector<std::string> known;
  for (const Entry* entry : entries_below(parent)) {
    for (const std::string& other : entry->renamed)
      if (other == key) return fmt::format("{}; here it is called '{}'", unknown, entry->key());
    known.push_back(entry->key());
  }
  for (const Entry& entry : grammar())
    if (entry.key() == key) return fmt::format("{} here; it belongs {}", unknown, level_text(entry.parent()));
  return unknown + name_hint(key, known);
}

std::string duplicate_key_text(const std::string& key, Place first) {
  return fmt::format("duplicate key '{}'; the first one is in line {}", key, first.line);
}

// Of all maps in a value, whose readers would take the one or the other of two.
void note_duplicates(const Node& node, const std::function<void(Place, const std::string&)>& note) {
  std::map<std::string, Place> seen;
  for (const Node& item : node.items) note_duplicates(item, note);
  for (const Member& member : node.members) {
    if (const auto [first, is_new] = seen.emplace(member.key, member.place); !is_new)
      note(member.place, duplicate_key_text(member.key, first->second));
    note_duplicates(member.value, note);
  }
}

// A value that gives way to another one is no less wrong.
void check_value(Draft& draft, const Entry& entry, const Member& member, const Where& where) {
  Settings session;
  CollectionSettings collection;
  VariableSettings variable;
  try {
    entry.accept({.session = &session, .collection = &collection, .variable = &variable}, member.value);
  } catch (const BadValue& fault) {
    draft.faults.add(where, fmt::format("{}: {}", member.key, fault.what()));
  }
}

// Collections are made with the defaults.
void put_defaults_first(Node& root) {
  std::ranges::stable_partition(root.members, [](const Member& member) { return member.key == "defaults"; });
}

void put_variables(Draft& draft, Node& node, const TextVariables& variables, const std::function<Where(Place)>& where) {
  replace_variables(node, variables,
                    [&](Place place, const std::string& fault) { draft.faults.add(where(place), fault); });
}

class TextReader {
 public:
  // yields: keys that are set already stay as they are.
  TextReader(Draft& draft, std::function<Where(Place)> where, bool yields = false)
      : draft_(draft), where_(std::move(where)), yields_(yields) {}

  // The keys of a map whose entries are below parent; prefix is parent with the names filled in.
  void read_keys(const Node& map, const std::string& parent, const std::string& prefix, const Target& target) {
    const char* example = parent == "collections.*." ? "every: 6 h" : "staging: 2 GiB";
    if (!is_map(map, fmt::format("keys and values such as '{}'", example))) return;
    std::map<std::string, Place> seen;
    for (const Member& member : map.members) {
      if (is_duplicate(member, seen)) continue;
      if (const Entry* entry = find_entry(parent, member.key))
        read_entry(*entry, member, prefix + member.key, target);
      else
        draft_.faults.add(where_(member.place), unknown_key_text(parent, member.key));
    }
  }

  void read_section(const Entry& entry, const Member& member, const std::string& full_key, const Target& target) {
    const std::string below = entry.path + ".";
    if (member.value.kind != Node::Kind::scalar) return read_keys(member.value, below, full_key + ".", target);
    read_entry(*find_entry(below, entry.word_sets), member, full_key + "." + entry.word_sets, target);
  }

 private:
  void read_entry(const Entry& entry, const Member& member, const std::string& full_key, const Target& target) {
    if (full_key == file_of_defaults)
      return draft_.faults.add(where_(member.place), "file: each collection has its own; leave it out of the defaults");
    if (entry.key() == templates_key && entry.parent().empty()) return read_templates(member.value, entry);
    if (!entry.keys_of.empty())
      return read_keys(member.value, entry.keys_of, full_key + ".", entry.open(target, member.key));
    if (entry.is_map_of_names()) return read_names(member.value, entry, full_key, target);
    if (entry.is_section()) return read_section(entry, member, full_key, target);
    const bool missing = member.value.kind == Node::Kind::nothing;
    const Where where = where_(missing ? member.place : member.value.place);
    if (yields_ && draft_.where.contains(full_key)) return check_value(draft_, entry, member, where);
    accept_value(draft_, entry, full_key, target, member, where, where_);
  }

  void read_names(const Node& map, const Entry& entry, const std::string& full_key, const Target& target) {
    if (!is_map(map, fmt::format("{}: names, each with its keys below it,", entry.key()))) return;
    std::map<std::string, Place> seen;
    for (const Member& member : map.members) {
      if (is_duplicate(member, seen)) continue;
      const Target opened = entry.open(target, member.key);
      const std::string full_name = full_key + "." + member.key;
      const Where where = where_(member.place);
      if (opened.is_of_collection()) {
        opened.collection->place = where.label;
        take_defaults(draft_, member.key);
      }
      draft_.where.emplace(full_name, where);
      if (member.key.empty()) draft_.faults.add(where, fmt::format("{}: the name is empty", entry.key()));
      read_keys(member.value, entry.path + ".*.", full_name + ".", opened);
    }
  }

  // What is wrong in one is so whether or not a collection extends it.
  void read_templates(const Node& map, const Entry& entry) {
    if (!is_map(map, fmt::format("{}: names, each with keys of a collection below it,", entry.key()))) return;
    std::map<std::string, Place> seen;
    for (const Member& member : map.members) {
      if (is_duplicate(member, seen)) continue;
      Settings session;
      CollectionSettings nobodys;
      read_keys(member.value, entry.keys_of, entry.key() + "." + member.key + ".",
                {.session = &session, .collection = &nobodys});
    }
  }

  // Nothing at all is an empty map.
  bool is_map(const Node& node, const std::string& wanted) {
    if (node.kind == Node::Kind::map || node.kind == Node::Kind::nothing) return true;
    const char* kind = node.kind == Node::Kind::list ? "a list" : "a single value";
    draft_.faults.add(where_(node.place), fmt::format("{} are wanted here, this is {}", wanted, kind));
    return false;
  }

  bool is_duplicate(const Member& member, std::map<std::string, Place>& seen) {
    const auto [first, is_new] = seen.emplace(member.key, member.place);
    if (!is_new) draft_.faults.add(where_(member.place), duplicate_key_text(member.key, first->second));
    return !is_new;
  }

  Draft& draft_;
  std::function<Where(Place)> where_;
  bool yields_;
};

}  // namespace

void accept_value(Draft& draft, const Entry& entry, const std::string& full_key, const Target& target,
                  const Member& member, const Where& where, const std::function<Where(Place)>& where_of) {
  bool has_duplicates = false;
  note_duplicates(member.value, [&](Place place, const std::string& fault) {
    has_duplicates = true;
    draft.faults.add(where_of ? where_of(place) : where, fault);
  });
  if (has_duplicates) {
    draft.faulty.insert(full_key);
    return;
  }
  try {
    entry.accept(target, member.value);
    draft.where[full_key] = where;
    draft.faulty.erase(full_key);
  } catch (const BadValue& fault) {
    draft.faulty.insert(full_key);
    Where at = where;
    if (where_of && fault.place.line > 0) {
      at = where_of(fault.place);
      at.line.clear();
    }
    draft.faults.add(at, fmt::format("{}: {}", member.key, fault.what()));
  }
}

void read_section(Draft& draft, const Entry& entry, const Node& node, const Where& where) {
  TextReader(draft, [&](Place) {
    return where;
  }).read_section(entry, {entry.key(), node.place, node}, entry.key(), {.session = &draft.settings});
}

void read_text(Draft& draft, const std::string& yaml, const std::string& origin) {
  const Source source(origin, yaml);
  try {
    Node root = parse_document(yaml);
    put_defaults_first(root);
    const TextVariables variables = variables_of(root);
    for (Member& member : root.members)
      if (member.key != variables_key)
        put_variables(draft, member.value, variables, [&](Place place) { return source.at(place); });
    extend_collections(root, [&](Place place, const std::string& fault) { draft.faults.add(source.at(place), fault); });
    TextReader(draft, [&](Place place) {
      return source.at(place);
    }).read_keys(root, "", "", {.session = &draft.settings});
  } catch (const SyntaxFault& fault) {
    draft.faults.add(source.at(fault.place), fault.text);
  }
}

void take_defaults(Draft& draft, const std::string& collection) {
  const auto key_of_collection = [&](const std::string& key) {
    return fmt::format("collections.{}.{}", collection, key.substr(defaults_prefix.size()));
  };
  std::map<std::string, Where> taken;
  for (const auto& [key, where] : draft.where)
    if (key.starts_with(defaults_prefix)) taken.emplace(key_of_collection(key), where);
  draft.where.merge(taken);
  std::set<std::string> faulty;
  for (const std::string& key : draft.faulty)
    if (key.starts_with(defaults_prefix)) faulty.insert(key_of_collection(key));
  draft.faulty.merge(faulty);
}

CollectionSettings& open_program_collection(Draft& draft, const std::string& name, const Where& where) {
  const Entry& entry = *find_entry("", "collections");
  CollectionSettings& opened = *entry.open({.session = &draft.settings}, name).collection;
  if (draft.where.emplace(entry.key() + "." + name, where).second) {
    take_defaults(draft, name);
    opened.from_program = true;
    opened.place = where.label;
  }
  return opened;
}

void read_collection(Draft& draft, const std::string& name, const std::string& yaml,
                     const std::function<Where(Place)>& where) {
  const Entry& entry = *find_entry("", "collections");
  CollectionSettings& opened = open_program_collection(draft, name, where({}));
  try {
    Node root = parse_document(yaml);
    put_variables(draft, root, draft.settings.variables, where);
    for (const Member& member : root.members)
      if (member.key == extends_key)
        draft.faults.add(where(member.place),
                         "extends: templates are those of the configuration, for collections that it "
                         "names; say the keys themselves");
    TextReader(draft, where, true)
        .read_keys(root, entry.path + ".*.", entry.key() + "." + name + ".",
                   {.session = &draft.settings, .collection = &opened});
  } catch (const SyntaxFault& fault) {
    draft.faults.add(where(fault.place), fault.text);
  }
}

}  // namespace thalweg::config
