// THALWEG_<KEY> sets a top-level key and prevails over the file.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

#include "base/log.hpp"
#include "base/names.hpp"
#include "config/draft.hpp"
#include "config/parse_value.hpp"

namespace thalweg::config {
namespace {

constexpr std::string_view key_prefix = "THALWEG_";

// Variables of Thalweg that are no configuration keys: the log's threshold, what its tracer is told, and switches of
// its tests.
bool is_foreign(std::string_view name) {
  return name == "THALWEG_LOG" || name.starts_with("THALWEG_TRACE_") || name.starts_with("THALWEG_TEST_");
}

// An empty variable counts as one that is not set, as in most tools.
std::map<std::string, std::string> variables_of_ours() {
  std::map<std::string, std::string> ours;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    if (!name.starts_with(key_prefix) || is_foreign(name) || equals + 1 >= text.size()) continue;
    ours.emplace(name, text.substr(equals + 1));
  }
  return ours;
}

std::string variable_name(const Entry& entry) {
  std::string name(key_prefix);
  for (const char c : entry.key()) name += c == '-' ? '_' : static_cast<char>(std::toupper(c));
  return name;
}

// A list and keys are written as in YAML; everything else is taken as it stands, so that a path needs no quotes.
Node node_of(const std::string& text) {
  if (text.front() != '[' && text.front() != '{') return make_node(Node::Kind::scalar, {}, text);
  try {
    return parse_document(text);
  } catch (const SyntaxFault& fault) {
    throw BadValue(text.front() == '[' ? fmt::format("'{}' is no list such as [3, 2]", text)
                                       : fmt::format("'{}' are no keys such as {{ranks: 2}}", text));
  }
}

void forget_below(Draft& draft, const std::string& prefix_of_keys) {
  std::erase_if(draft.where, [&](const auto& set) { return set.first.starts_with(prefix_of_keys); });
  std::erase_if(draft.faulty, [&](const std::string& key) { return key.starts_with(prefix_of_keys); });
}

// What the environment says of the place of servers is all that is said of it, and not one half of a contradiction:
// numbers in the file are forgotten unless its word is for their place, and a word in the file before its numbers.
void forget_places_of_file(Draft& draft, const Node& node) {
  const auto member = [&](std::string_view key) {
    const auto found = std::ranges::find(node.members, key, &Member::key);
    return found != node.members.end() ? &found->value : nullptr;
  };
  const bool has_numbers = member("ranks") != nullptr || member("nodes") != nullptr;
  const Node* place = node.kind == Node::Kind::scalar ? &node : member("place");
  if (!has_numbers && place == nullptr) return;
  forget_below(draft, "writers.place");
  if (has_numbers || place->text != "ranks") {
    forget_below(draft, "writers.ranks.");
    draft.settings.server_ranks = {};
  }
  if (has_numbers || place->text != "nodes") {
    forget_below(draft, "writers.nodes.");
    draft.settings.server_nodes = {};
  }
}

void read_variable(Draft& draft, const Entry& entry, const Where& where, const std::string& text) {
  try {
    if (entry.is_section()) {
      const Node node = node_of(text);
      if (entry.key() == "writers") forget_places_of_file(draft, node);
      read_section(draft, entry, node, where);
    } else {
      accept_value(draft, entry, entry.key(), {.session = &draft.settings}, {entry.key(), {}, node_of(text)}, where);
    }
  } catch (const BadValue& fault) {
    draft.faults.add(where, fmt::format("{}: {}", entry.key(), fault.what()));
  }
}

std::map<std::string, const Entry*> entries_by_variable() {
  std::map<std::string, const Entry*> entries;
  for (const Entry* entry : entries_below(""))
    if (entry->has_value() || entry->is_section()) entries.emplace(variable_name(*entry), entry);
  return entries;
}

// A slip of the pen is a fault. Anything else is somebody else's: module systems set THALWEG_ROOT, THALWEG_HOME and
// the like.
void meet_unknown(Draft& draft, const std::string& name, const Where& where, const std::vector<std::string>& known) {
  std::vector<std::string> endings;
  for (const std::string& variable : known) endings.push_back(variable.substr(key_prefix.size()));
  if (nearest_names(name.substr(key_prefix.size()), endings).empty())
    log::warning("environment variable {} is no setting of Thalweg and is ignored", name);
  else
    draft.faults.add(where, "no key has this variable" + name_hint(name, known));
}

}  // namespace

void read_environment(Draft& draft) {
  const auto entries = entries_by_variable();
  std::vector<std::string> known;
  for (const auto& [name, entry] : entries) known.push_back(name);
  for (const auto& [name, text] : variables_of_ours()) {
    const Where where = in_environment(name, text);
    if (const auto entry = entries.find(name); entry != entries.end())
      read_variable(draft, *entry->second, where, text);
    else
      meet_unknown(draft, name, where, known);
  }
}

}  // namespace thalweg::config
