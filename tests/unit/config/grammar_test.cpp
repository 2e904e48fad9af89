#include "config/grammar.hpp"

#include <gtest/gtest.h>

#include <set>

namespace thalweg::config {
namespace {

// Settings with one collection of one variable, so that every entry of the grammar has a target.
struct Sample {
  Settings settings;
  Target session{.session = &settings};
  Target collection = find_entry("", "collections")->open(session, "c");
  Target variable = find_entry("collections.*.", "variables")->open(collection, "v");
  Target forcing = find_entry("", "forcing")->open(session, "f");
  Target of(const Entry& entry) {
    if (entry.parent().empty()) return session;
    if (entry.parent() == "forcing.*.") return forcing;
    return entry.path.starts_with("collections.*.variables.*.") ? variable : collection;
  }
};

std::string default_of_c(const Entry& entry) {
  return entry.default_text == "<name>.nc" ? "c.nc" : entry.default_text;
}

TEST(ConfigGrammar, defaults_are_those_of_the_settings) {
  Sample sample;
  for (const Entry& entry : grammar()) {
    if (!entry.has_value()) continue;
    EXPECT_EQ(entry.show(sample.of(entry)), default_of_c(entry)) << entry.path;
  }
}

TEST(ConfigGrammar, canonical_texts_are_accepted_and_shown_again) {
  Sample sample;
  for (const Entry& entry : grammar()) {
    if (!entry.has_value()) continue;
    std::vector<std::string> texts = entry.allowed;
    texts.push_back(default_of_c(entry));
    for (const std::string& text : texts) {
      entry.accept(sample.of(entry), make_node(Node::Kind::scalar, {}, text));
      const std::string shown = entry.show(sample.of(entry));
      entry.accept(sample.of(entry), make_node(Node::Kind::scalar, {}, shown));
      EXPECT_EQ(entry.show(sample.of(entry)), shown) << entry.path;
    }
  }
}

TEST(ConfigGrammar, paths_are_unique_and_below_maps_of_names_or_sections) {
  std::set<std::string> paths;
  for (const Entry& entry : grammar()) {
    EXPECT_TRUE(paths.insert(entry.path).second) << entry.path;
    if (entry.parent().empty()) continue;
    const bool in_map = entry.parent().ends_with(".*.");
    EXPECT_TRUE(paths.contains(entry.parent().substr(0, entry.parent().size() - (in_map ? 3 : 1)))) << entry.path;
  }
}

TEST(ConfigGrammar, entries_say_kind_and_meaning) {
  for (const Entry& entry : grammar()) {
    EXPECT_FALSE(entry.kind.empty()) << entry.path;
    EXPECT_TRUE(entry.text.ends_with(".")) << entry.path;
  }
}

TEST(ConfigGrammar, reference_shows_every_key_with_its_default_and_words) {
  const std::string page = reference_markdown();
  for (const Entry& entry : grammar()) {
    std::string path = entry.path;
    for (const char* const name : {"NAME", "VARIABLE"})
      if (const auto star = path.find('*'); star != std::string::npos) path.replace(star, 1, name);
    const std::size_t begin = page.find("| `" + path + "` |");
    ASSERT_NE(begin, std::string::npos) << path;
    const std::string row = page.substr(begin, page.find('\n', begin) - begin);
    EXPECT_NE(row.find(entry.text), std::string::npos) << row;
    const std::string shown_default = entry.default_text.empty() ? "|  |" : "| `" + entry.default_text + "` |";
    EXPECT_NE(row.find(shown_default), std::string::npos) << row;
    for (const std::string& word : entry.allowed) EXPECT_NE(row.find("`" + word + "`"), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace thalweg::config
