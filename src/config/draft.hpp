// Settings while they are made: read from the file, the environment, the command line, then checked as a whole.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostic.hpp"
#include "config/grammar.hpp"
#include "config/settings.hpp"

namespace thalweg::config {

struct Draft {
  Settings settings;
  Diagnostics faults;
  std::map<std::string, Where> where;    // full key ("collections.history.every") -> what set it; absent: its default
  std::set<std::string> faulty;          // full keys whose value was refused; no check may conclude from them
  std::vector<std::string> arguments{};  // the command line, its program first; empty: that of this process
};

// Of full keys: "defaults.format".
constexpr std::string_view defaults_prefix = "defaults.";
constexpr std::string_view file_of_defaults = "defaults.file";  // which there is none of

// As the name of a record dimension.
constexpr std::string_view no_record_dimension = "none";

inline bool is_from_program(const Where& where) {
  return where.origin.starts_with("program");
}

// Whether checks may conclude from the value of a key.
inline bool usable(const Draft& draft, const std::string& full_key) {
  return !draft.faulty.contains(full_key);
}

inline std::string key_of(const CollectionSettings& collection, const std::string& key) {
  return "collections." + collection.name + "." + key;
}

// Whether `defaults` say a key that is set, and not the collection itself.
inline bool is_by_default(const Draft& draft, const CollectionSettings& collection, const std::string& key) {
  const auto by_default = draft.where.find(std::string(defaults_prefix) + key);
  return by_default != draft.where.end() && by_default->second.label == draft.where.at(key_of(collection, key)).label;
}

// Where a key of a collection was set, or else the collection itself.
inline Where where_of(const Draft& draft, const CollectionSettings& collection, const std::string& key) {
  const auto set = draft.where.find(key_of(collection, key));
  return set != draft.where.end() ? set->second : draft.where.at("collections." + collection.name);
}

inline bool is_set(const CollectionSettings& collection) {
  return collection.pattern == Pattern::per_domain || collection.pattern == Pattern::per_rank;
}

// Stores a value, or notes why it is refused. The key is the member's, which may be that of a section. where_of: of
// parts of the value, in a text.
void accept_value(Draft& draft, const Entry& entry, const std::string& full_key, const Target& target,
                  const Member& member, const Where& where, const std::function<Where(Place)>& where_of = {});

// A section of the top level that does not stand in a text of its own.
void read_section(Draft& draft, const Entry& entry, const Node& node, const Where& where);
void read_text(Draft& draft, const std::string& yaml, const std::string& origin);
// What set a default has set it for the collection; what was refused, nobody concludes from here either.
void take_defaults(Draft& draft, const std::string& collection);
// One that the program gives, if the configuration has none of the name. where: this was said.
CollectionSettings& open_program_collection(Draft& draft, const std::string& name, const Where& where);
// The keys of a collection that the program gives; what is set already stays.
void read_collection(Draft& draft, const std::string& name, const std::string& yaml,
                     const std::function<Where(Place)>& where);
void read_environment(Draft& draft);

// Options among the arguments of this process, if the settings so far say whose count.
void read_command_line(Draft& draft);

// Notes a key, or every key below it, with its value and origin; full_key is its path with the names filled in.
void echo(Draft& draft, const Entry& entry, const std::string& full_key, const Target& target);

// Keys whose values netCDF's calls alone say of the collections that they write (config/program_collection.cpp). What
// is said of them is left out.
void leave_out_keys_of_calls(Draft& draft, CollectionSettings& collection, bool has_one_record = false);
bool is_key_of_calls(const std::string& key);
// Whether netCDF's calls can write a collection that has any of them from the defaults, which are not taken then.
bool may_be_of_calls(const Draft& draft, const CollectionSettings& collection);
// For an error about one of them: what of them to leave out, of those that the collection itself says.
std::string advice_for_calls(const Draft& draft, const CollectionSettings& collection);

// The rules that concern several keys.
void check_together(Draft& draft);
// Those within a collection. Completes what follows from several of its keys.
void check_collection(Draft& draft, CollectionSettings& collection);
// What a collection asks for and its format has not.
void check_format(Draft& draft, const CollectionSettings& collection);
std::string default_file(const std::string& name);  // of a collection, in formats that have the usual ending
// The name of its file, if nobody has said it.
void set_default_file(const Draft& draft, CollectionSettings& collection);
// What a key of a collection says does not go with what else it says.
void refuse_in(Draft& draft, const CollectionSettings& collection, const std::string& key, const std::string& why);
// Fields that it chooses, and what of them has intervals of time.
void check_fields(Draft& draft, const CollectionSettings& collection);
// No output has the name of another one, of the configuration, of the profile or of the time line. newest: the
// collection that is added to those that are in order; "": none.
void check_files_differ(Draft& draft, const std::string& newest = "");

}  // namespace thalweg::config
