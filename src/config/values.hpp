// How values of one kind are read from a node, and written as their canonical text.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/document.hpp"
#include "config/parse_value.hpp"
#include "config/settings.hpp"

namespace thalweg::config {

template <typename T>
struct Values {
  std::string kind;                  // for the reference: "bytes, at least 1 MiB"
  std::vector<std::string> allowed;  // the words that are allowed; empty if the kind says it
  std::function<T(const Node&)> parse;
  std::function<std::string(const T&)> format;
};

// As YAML has a text with any signs in it.
std::string in_quotes(const std::string& text);

// The text of a single value. Throws BadValue for a list, a map or nothing.
const std::string& scalar(const Node& node);
// Also for an empty one.
const std::string& text_in(const Node& node);
// A value of a coordinate, which is finite.
double coordinate_value_in(const Node& node);
// A name that a dimension of a file can have.
std::string dimension_in(const Node& node);
// A whole number, at least that. why: behind the error; empty: nothing.
std::int64_t whole_in(const Node& node, std::int64_t least, std::string_view why = "");
// The error of a key that is none of those known. of: what has it.
[[noreturn]] void refuse_key(const Member& member, std::string_view of, const std::vector<std::string>& known);

// The error of a value that is no word either: it names the word that the value is like.
[[noreturn]] void reject_beside(const std::string& word, const Node& node, const BadValue& fault);

// What the codec makes of a value that is not the word.
template <typename T>
T parse_beside(const std::string& word, const Values<T>& codec, const Node& node) {
  try {
    return codec.parse(node);
  } catch (const BadValue& fault) {
    reject_beside(word, node, fault);
  }
}

// A word and what it stands for. Words live as long as the program.
template <typename E>
struct Word {
  std::string_view text;
  E value;
};

// Which of the words the node is. Throws BadValue, which lists the first ones.
std::size_t place_among(const std::vector<std::string_view>& words, std::size_t listed, const Node& node);

// One of some words. A value's first word is its canonical one; aliases follow and are not listed in messages.
template <typename E>
Values<E> one_of(std::vector<Word<E>> words, const std::vector<Word<E>>& aliases = {}) {
  const std::size_t listed = words.size();
  words.insert(words.end(), aliases.begin(), aliases.end());
  std::vector<std::string_view> texts;
  for (const Word<E>& word : words) texts.push_back(word.text);
  const std::vector<std::string> allowed(texts.begin(), texts.begin() + std::ssize(words) - std::ssize(aliases));
  const auto parse = [words, texts, listed](const Node& node) { return words[place_among(texts, listed, node)].value; };
  const auto format = [words](const E& wanted) {
    const auto found = std::ranges::find(words, wanted, &Word<E>::value);
    return std::string(found == words.end() ? "?" : found->text);
  };
  return {.kind = "one of", .allowed = allowed, .parse = parse, .format = format};
}

// What rows of a registry are called.
template <typename Named>
std::vector<Word<Named>> words_of(const std::vector<Named>& rows) {
  std::vector<Word<Named>> words;
  for (const Named row : rows) words.push_back({row->name, row});
  return words;
}

// Or none.
template <typename Named>
std::vector<Word<Named>> words_or_none(const std::vector<Named>& rows) {
  std::vector<Word<Named>> words = words_of(rows);
  words.insert(words.begin(), {"none", Named()});
  return words;
}

// What the reference says of rows, where it says something: "; user: a procedure of the model writes them".
template <typename Named, typename Description>
std::string notes_of(const std::vector<Named>& rows, std::string_view Description::* note) {
  std::string text;
  for (const Named row : rows)
    if (!((*row).*note).empty()) text += fmt::format("; {}: {}", row->name, (*row).*note);
  return text;
}

Values<bool> truth();
Values<std::int64_t> bytes(std::int64_t least);
Values<std::int64_t> rate_or_none();   // none is 0
Values<std::int64_t> count_or_auto();  // auto is 0
Values<std::int64_t> count_or_all();
Values<std::int64_t> files_or_none();
Values<std::int64_t> servers_of_node();  // all is all_servers
Values<double> duration();
Values<double> duration_or_auto();  // auto is 0
Values<Interval> interval();
Values<Interval> interval_or_on_demand();
// After which something comes again: of whole years, or of any time; none is an interval without parts.
Values<Interval> cycle_or_none();
// A time or a number of steps; none is an interval without parts.
Values<Interval> offset_or_none();
Values<Interval> interval_or_never();  // never and on-demand are intervals without parts
Values<Date> date();
Values<std::string> file_template();
Values<std::string> path_or(const std::string& word);  // the word is ""
Values<std::string> dimension_name();
Values<std::string> run_name_or(const std::string& word);            // the word is ""
Values<std::vector<std::int64_t>> list_or(const std::string& word);  // the word is an empty list
Values<std::int64_t> count_between(std::int64_t least, std::int64_t most);
Values<ChunkSettings> chunk_extents();  // auto is an empty map

// A value that may be left out; the word says what it then is.
template <typename T>
Values<std::optional<T>> optional(const Values<T>& codec, std::string_view said) {
  const std::string word(said);
  std::vector<std::string> allowed = codec.allowed;
  const auto parse = [codec, word](const Node& node) {
    const bool left_out = node.kind == Node::Kind::scalar && node.text == word;
    return left_out ? std::nullopt : std::optional<T>(parse_beside(word, codec, node));
  };
  const auto format = [codec, word](const std::optional<T>& value) { return value ? codec.format(*value) : word; };
  return {.kind = codec.kind, .allowed = allowed, .parse = parse, .format = format};
}
// The same of a collection, or of one of its variables, which may say the word for what is usual as well, and of which
// `inherited` is the word for nothing; "": a collection.
template <typename T>
Values<Choice<T>> choice(const Values<T>& codec, std::string_view said, const std::string& inherited) {
  const std::string usual(said);
  const std::string nothing = inherited.empty() ? usual : inherited;
  std::vector<std::string> allowed = codec.allowed;
  if (!inherited.empty() && !allowed.empty()) allowed.push_back(usual);
  const auto parse = [=](const Node& node) {
    Choice<T> made;
    const std::string word = node.kind == Node::Kind::scalar ? node.text : "";
    made.is_usual = word == usual && !inherited.empty();
    if (word.empty() || (word != usual && word != nothing))
      made.emplace(parse_beside(inherited.empty() ? nothing : usual, codec, node));
    return made;
  };
  const auto format = [=](const Choice<T>& value) {
    return value ? codec.format(*value) : value.is_usual ? usual : nothing;
  };
  const std::string kind =
      inherited.empty() || !codec.allowed.empty() ? codec.kind : fmt::format("{}, or `{}`", codec.kind, usual);
  return {.kind = kind, .allowed = allowed, .parse = parse, .format = format};
}

Values<std::vector<std::int64_t>> count_or_list_or(const std::string& word);

}  // namespace thalweg::config
