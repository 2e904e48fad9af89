#include "config/templates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/names.hpp"
#include "config/entries.hpp"
#include "config/text_maps.hpp"

namespace thalweg::config {
namespace {

using OnFault = std::function<void(Place, const std::string&)>;
constexpr const char* list_that_adds_up = "fields";
// That templates stand for in all, so that no text of few lines fills the memory.
constexpr std::size_t most_values = 1'000'000;

Values<std::vector<std::string>> names_of_templates() {
  return {.kind = "name, or a list of names, of `templates`, or `none`",
          .allowed = {},
          .parse =
              [](const Node& node) {
                std::vector<std::string> names;
                if (is_none(node)) return names;
                if (node.kind != Node::Kind::list) return std::vector<std::string>{scalar(node)};
                for (const Node& item : node.items) names.push_back(scalar(item));
                return names;
              },
          .format =
              [](const std::vector<std::string>& names) {
                if (names.empty()) return std::string("none");
                return names.size() == 1 ? names[0] : fmt::format("[{}]", fmt::join(names, ", "));
              }};
}

Node* find(Node& map, const std::string& key) {
  const auto found = std::ranges::find(map.members, key, &Member::key);
  return found == map.members.end() ? nullptr : &found->value;
}

std::size_t values_in(const Node& node) {
  std::size_t all = 1;
  for (const Node& item : node.items) all += values_in(item);
  for (const Member& member : node.members) all += values_in(member.value);
  return all;
}

// `compression: zstd` is short for a map, into which others' keys go.
Node as_map(const std::string& key, Node node) {
  const Entry* entry = find_entry("collections.*.", key);
  if (node.kind != Node::Kind::scalar || entry == nullptr || !entry->is_section()) return node;
  Node map = make_node(Node::Kind::map, node.place);
  map.members.push_back({.key = entry->word_sets, .place = node.place, .value = std::move(node)});
  return map;
}

// What `own` has prevails. Maps go key by key, and the fields of both are chosen, those of the template first.
void join(Node& own, const Node& base) {
  for (const Member& member : base.members) {
    if (member.key == extends_key) continue;
    Node* said = find(own, member.key);
    if (said == nullptr) {
      own.members.push_back(member);
    } else if (said->kind == Node::Kind::map) {
      const Node other = as_map(member.key, member.value);
      if (other.kind == Node::Kind::map) join(*said, other);
    } else if (member.key == list_that_adds_up && said->kind == Node::Kind::list) {
      said->items.insert(said->items.begin(), member.value.items.begin(), member.value.items.end());
    }
  }
}

class Extender {
 public:
  Extender(const Node& templates, const OnFault& fault) : fault_(fault) {
    for (const Member& member : templates.members) templates_.emplace(member.key, &member.value);
  }

  void extend(Node& collection) {
    order_.clear();
    chain_.clear();
    if (collection.kind != Node::Kind::map || !add_names(collection)) return;
    for (auto name = order_.rbegin(); name != order_.rend(); ++name) {
      values_ += values_in(*templates_.at(*name));
      if (values_ > most_values)
        return fault_(collection.place, fmt::format("the templates stand for more than {} values in all", most_values));
      join(collection, *templates_.at(*name));
    }
  }

  // That all that a template extends is there is known before a collection has it.
  void check(const Member& of) {
    order_.clear();
    chain_ = {of.key};
    static_cast<void>(add_names(of.value));
  }

 private:
  // In the order in which they prevail, the last one most; each once, behind those that it extends itself.
  bool add_names(const Node& map) {
    const auto extends = std::ranges::find(map.members, extends_key, &Member::key);
    if (extends == map.members.end() || is_none(extends->value)) return true;
    if (extends->value.kind == Node::Kind::scalar) return add(extends->value);
    return std::ranges::all_of(extends->value.items, [&](const Node& item) { return add(item); });
  }

  bool add(const Node& name) {
    if (name.kind != Node::Kind::scalar) return false;  // which the key refuses
    const auto known = templates_.find(name.text);
    if (known == templates_.end()) return refuse(name);
    if (std::ranges::find(chain_, name.text) != chain_.end()) {
      if (name.text != chain_.front()) return false;  // it is told of each that is in the circle
      fault_(name.place,
             fmt::format("{}: '{}' would extend itself, by '{}'", extends_key, name.text, fmt::join(chain_, "', '")));
      return false;
    }
    if (std::ranges::find(order_, name.text) != order_.end()) return true;
    chain_.push_back(name.text);
    const bool is_whole = add_names(*known->second);
    chain_.pop_back();
    order_.push_back(name.text);
    return is_whole;
  }

  bool refuse(const Node& name) {
    fault_(name.place, fmt::format("{}: no template is called '{}'{}", extends_key, name.text,
                                   name_hint(name.text, names_in(templates_))));
    return false;
  }

  std::map<std::string, const Node*> templates_;
  std::vector<std::string> order_, chain_;
  std::size_t values_ = 0;
  const OnFault& fault_;
};

}  // namespace

Entry templates() {
  Entry entry =
      entry_of(templates_key, "map of names",
               "Sets of keys of `collections.NAME`, by names of your own, which collections take by `extends`.");
  entry.keys_of = "collections.*.";
  entry.names = [](const Target& /*target*/) { return std::vector<std::string>{}; };
  return entry;
}

Entry extends() {
  return value(
      "collections.*.extends", &CollectionSettings::extends, names_of_templates(), "none",
      "The templates whose keys it has where it does not say them itself; those of the defaults come after. Of several "
      "templates the last one prevails, each before those that it extends. Maps go key by key, and `fields` add up.");
}

void extend_collections(Node& root, const OnFault& fault) {
  const Node none;
  const Node* said = find(root, templates_key);
  const Node& own = said != nullptr ? *said : none;
  Extender extender(own, fault);
  for (const Member& member : own.members) extender.check(member);
  if (const Node* defaults = find(root, "defaults"))
    for (const Member& member : defaults->members)
      if (member.key == extends_key)
        fault(member.place, "extends: a template is for collections; say its keys themselves for all of them");
  for (const Member& member : own.members)
    if (member.key == "none") fault(member.place, "'none' is the word for no template, and no name of one");
  if (Node* collections = find(root, "collections"))
    for (Member& member : collections->members) extender.extend(member.value);
}

}  // namespace thalweg::config
