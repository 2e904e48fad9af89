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

// What `extends` of a collection or of a template names. What is no name is refused by the key.
std::vector<const Node*> names_extended_by(const Node& map) {
  std::vector<const Node*> names;
  const auto extends = std::ranges::find(map.members, extends_key, &Member::key);
  if (extends == map.members.end() || is_none(extends->value)) return names;
  if (extends->value.kind == Node::Kind::scalar) return {&extends->value};
  for (const Node& item : extends->value.items) names.push_back(&item);
  return names;
}

struct Template {
  const Node* said;
  std::vector<const Node*> extends = names_extended_by(*said);
  enum class State { unseen, open, seen } state = State::unseen;
  bool is_faulty = false;        // it, or one that it extends
  std::int64_t collection = -1;  // the last one that has it
};

// Templates extend each other over any number of others, so that what goes along them is a loop and no recursion.
class Extender {
 public:
  Extender(const Node& templates, const OnFault& fault) : fault_(fault) {
    for (const Member& member : templates.members) templates_.emplace(member.key, Template{&member.value});
    for (const Member& member : templates.members) check(*templates_.find(member.key));
  }

  void extend(Node& collection) {
    if (collection.kind != Node::Kind::map) return;
    ++collection_;
    std::vector<Template*> order;
    for (const Node* name : names_extended_by(collection))
      if (!add(*name, order)) return;
    for (auto of = order.rbegin(); of != order.rend(); ++of) {
      values_ += values_in(*(*of)->said);
      if (values_ > most_values)
        return fault_(collection.place, fmt::format("the templates stand for more than {} values in all", most_values));
      join(collection, *(*of)->said);
    }
  }

 private:
  using Templates = std::map<std::string, Template>;
  struct Visit {
    Templates::value_type* of;
    std::size_t next = 0;  // of those that it extends
    const Node* named() const { return of->second.extends[next - 1]; }
  };

  // That all that a template extends is there, and not the template itself, is known before a collection has it.
  void check(Templates::value_type& first) {
    std::vector<Visit> chain;
    begin(first, chain);
    while (!chain.empty()) {
      Template& of = chain.back().of->second;
      if (chain.back().next < of.extends.size()) {
        check(*of.extends[chain.back().next++], chain);
        continue;
      }
      of.state = Template::State::seen;
      chain.pop_back();
      if (!chain.empty() && of.is_faulty) chain.back().of->second.is_faulty = true;
    }
  }

  static void begin(Templates::value_type& of, std::vector<Visit>& chain) {
    if (of.second.state != Template::State::unseen) return;
    of.second.state = Template::State::open;
    chain.push_back({&of});
  }

  void check(const Node& name, std::vector<Visit>& chain) {
    const auto known = find_named(name);
    bool& is_faulty = chain.back().of->second.is_faulty;
    is_faulty = is_faulty || known == templates_.end() || known->second.is_faulty;
    if (known == templates_.end()) return;
    if (known->second.state == Template::State::open)
      return refuse_circle({std::ranges::find(chain, &*known, &Visit::of), chain.end()});
    begin(*known, chain);
  }

  // It is told of each that is in the circle.
  void refuse_circle(std::vector<Visit> circle) {
    constexpr std::size_t most_listed = 10;
    for (std::size_t told = 0; told < circle.size(); ++told) {
      std::vector<std::string> by;
      for (std::size_t at = 0; at < std::min(circle.size(), most_listed); ++at) by.push_back(circle[at].of->first);
      fault_(circle.back().named()->place,
             fmt::format("{}: '{}' would extend itself, by '{}'{}", extends_key, by.front(), fmt::join(by, "', '"),
                         circle.size() > most_listed ? ", …" : ""));
      circle.front().of->second.is_faulty = true;
      std::ranges::rotate(circle, circle.begin() + 1);
    }
  }

  // In the order in which they prevail, the last one most; each once, behind those that it extends itself.
  bool add(const Node& name, std::vector<Template*>& order) {
    const auto known = find_named(name);
    if (known == templates_.end() || known->second.is_faulty) return false;
    std::vector<Visit> chain;
    const auto enter = [&](Templates::value_type& of) {
      if (std::exchange(of.second.collection, collection_) != collection_) chain.push_back({&of});
    };
    enter(*known);
    while (!chain.empty()) {
      Template& of = chain.back().of->second;
      if (chain.back().next < of.extends.size()) {
        enter(*templates_.find(of.extends[chain.back().next++]->text));
        continue;
      }
      order.push_back(&of);
      chain.pop_back();
    }
    return true;
  }

  Templates::iterator find_named(const Node& name) {
    if (name.kind != Node::Kind::scalar) return templates_.end();  // which the key refuses
    const auto known = templates_.find(name.text);
    if (known == templates_.end())
      fault_(name.place, fmt::format("{}: no template is called '{}'{}", extends_key, name.text,
                                     name_hint(name.text, names_in(templates_))));
    return known;
  }

  Templates templates_;
  std::int64_t collection_ = -1;  // which one is extended
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
