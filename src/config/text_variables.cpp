#include "config/text_variables.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/names.hpp"
#include "config/entries.hpp"
#include "config/parse_value.hpp"
#include "config/text_maps.hpp"

namespace thalweg::config {
namespace {

constexpr std::string_view opening = "${";

TextVariables text_variables_in(const Node& node) {
  TextVariables said;
  if (is_none(node)) return said;
  for (const Member& member : members_of(node, "a map of names to texts such as {EXPID: run1}")) {
    if (member.key.empty() || member.key.find_first_of("${} ") != std::string::npos)
      throw BadValue(fmt::format("'{}' is no name of a variable", member.key));
    if (member.value.kind != Node::Kind::scalar) throw BadValue(fmt::format("'{}' needs a text", member.key));
    if (member.value.text.find(opening) != std::string::npos)
      throw BadValue(
          fmt::format("'{}': a variable does not stand for others, as '{}' has it", member.key, member.value.text));
    said.emplace(member.key, member.value.text);
  }
  return said;
}

void add(const Node& node, TextVariables& known) {
  try {
    TextVariables said = text_variables_in(node);
    said.merge(known);
    known = std::move(said);
  } catch (const BadValue&) {
    return;
  }
}

std::string unknown_text(const std::string& name, const TextVariables& variables) {
  return fmt::format("'${{{}}}': below '{}' nothing says what '{}' stands for{}", name, variables_key, name,
                     name_hint(name, names_in(variables)));
}

std::string replaced(const Node& node, const TextVariables& variables, const OnFault& on_fault) {
  std::string text;
  std::size_t done = 0;
  for (std::size_t at = node.text.find(opening); at != std::string::npos; at = node.text.find(opening, done)) {
    text += node.text.substr(done, at - done);
    const std::size_t end = node.text.find('}', at);
    if (end == std::string::npos) {
      on_fault(node.place, fmt::format("'{}': a '${{' begins a variable, and no '}}' ends it", node.text));
      return node.text;
    }
    const std::string name = node.text.substr(at + opening.size(), end - at - opening.size());
    if (const auto known = variables.find(name); known != variables.end())
      text += known->second;
    else
      on_fault(node.place, unknown_text(name, variables));
    done = end + 1;
  }
  return text + node.text.substr(done);
}

}  // namespace

Entry text_variables() {
  Entry entry = entry_of(variables_key, "map of names to texts such as `{EXPID: run1}`, or `none`",
                         "What stands for `${EXPID}` in the values of this file. Those that the environment says "
                         "(`THALWEG_VARIABLES`) are added, and prevail.");
  entry.default_text = "none";
  entry.accept = [](const Target& target, const Node& node) {
    TextVariables said = text_variables_in(node);
    said.merge(target.session->variables);
    target.session->variables = std::move(said);
  };
  entry.show = [](const Target& target) { return text_of(target.session->variables); };
  return entry;
}

TextVariables variables_of(const Node& root) {
  TextVariables known;
  for (const Member& member : root.members)
    if (member.key == variables_key) add(member.value, known);
  const char* const of_environment = std::getenv("THALWEG_VARIABLES");
  if (of_environment == nullptr) return known;
  try {
    add(parse_document(of_environment), known);
  } catch (const SyntaxFault&) {
    return known;
  }
  return known;
}

void replace_variables(Node& node, const TextVariables& variables, const OnFault& on_fault) {
  if (node.kind == Node::Kind::scalar) node.text = replaced(node, variables, on_fault);
  for (Node& item : node.items) replace_variables(item, variables, on_fault);
  for (Member& member : node.members) replace_variables(member.value, variables, on_fault);
}

}  // namespace thalweg::config
