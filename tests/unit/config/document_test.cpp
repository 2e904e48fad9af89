#include "config/document.hpp"

#include <gtest/gtest.h>

namespace thalweg::config {
namespace {

using Kind = Node::Kind;

SyntaxFault fault_of(const std::string& yaml) {
  try {
    parse_document(yaml);
  } catch (const SyntaxFault& fault) {
    return fault;
  }
  return {};
}

TEST(ConfigDocument, knows_the_places_of_keys_and_values) {
  const Node root = parse_document("a: 1\nb:\n  - 2\n  - \"x y\"\n");
  ASSERT_EQ(root.kind, Kind::map);
  ASSERT_EQ(root.members.size(), 2U);
  const Member& b = root.members[1];
  EXPECT_EQ(b.key, "b");
  EXPECT_EQ(b.place.line, 2);
  EXPECT_EQ(b.place.column, 1);
  ASSERT_EQ(b.value.items.size(), 2U);
  EXPECT_EQ(b.value.items[1].text, "x y");
  EXPECT_EQ(b.value.items[1].place.line, 4);
  EXPECT_EQ(b.value.items[1].place.column, 5);
}

TEST(ConfigDocument, is_nothing_without_text) {
  for (const char* yaml : {"", "\n\n", "# a comment\n", "---\n"})
    EXPECT_EQ(parse_document(yaml).kind, Kind::nothing) << yaml;
}

TEST(ConfigDocument, keeps_duplicate_keys_for_the_message) {
  EXPECT_EQ(parse_document("{a: 1, a: 2}").members.size(), 2U);
}

TEST(ConfigDocument, puts_the_anchored_value_where_its_alias_stands) {
  const Node root = parse_document("a: &x {k: v}\nb: *x\n");
  ASSERT_EQ(root.members[1].value.kind, Kind::map);
  EXPECT_EQ(root.members[1].value.members[0].value.text, "v");
}

TEST(ConfigDocument, refuses_an_alias_inside_its_own_anchor) {
  EXPECT_EQ(fault_of("a: &x {k: *x}").text, "an alias inside of what it stands for");
}

TEST(ConfigDocument, refuses_aliases_that_multiply) {
  std::string yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    yaml += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) yaml += (j == 0 ? "*a" : ", *a") + std::to_string(i - 1);
    yaml += "]\n";
  }
  EXPECT_TRUE(fault_of(yaml).text.starts_with("the document is too large: more than 100000 values"));
}

TEST(ConfigDocument, refuses_aliases_that_multiply_a_long_text_at_the_one_that_is_too_much) {
  std::string yaml = "a: &a " + std::string(200'000, 'x') + "\nb:\n";
  for (int i = 0; i < 90'000; ++i) yaml += "- *a\n";
  const SyntaxFault fault = fault_of(yaml);
  EXPECT_TRUE(fault.text.starts_with("the document is too large: more than 100000 values or 4194304 bytes of text"));
  EXPECT_EQ(fault.place.line, 21);  // two copies are for the anchor
}

TEST(ConfigDocument, refuses_anchors_in_anchors_that_would_copy_what_they_hold_again_and_again) {
  std::string yaml = "a: ";
  for (int i = 0; i < 400; ++i) yaml += "&a" + std::to_string(i) + " [";
  for (int i = 0; i < 10'000; ++i) yaml += "x, ";
  EXPECT_TRUE(fault_of(yaml + std::string(400, ']')).text.starts_with("the document is too large"));
}

TEST(ConfigDocument, refuses_keys_that_are_too_long) {
  EXPECT_EQ(fault_of(std::string(300, 'k') + ": 1\n").text, "a key of 300 bytes; 256 are the most");
}

TEST(ConfigDocument, refuses_keys_that_are_no_words) {
  EXPECT_EQ(fault_of("? [a, b]\n: c\n").text, "a key must be a word");
}

TEST(ConfigDocument, refuses_a_second_document) {
  EXPECT_EQ(fault_of("a: 1\n---\nb: 2\n").text, "a second YAML document begins; the configuration is one");
}

TEST(ConfigDocument, refuses_a_text_at_whose_half_a_name_would_end) {
  const SyntaxFault fault = fault_of("a: 1\nfile: \"ocean.nc\\0.old\"\n");
  EXPECT_EQ(fault.text, "'ocean.nc…' has a NUL in it, at which names end");
  EXPECT_EQ(fault.place.line, 2);
  EXPECT_TRUE(fault_of("\"a\\0b\": 1\n").text.starts_with("'a…' has a NUL"));
}

TEST(ConfigDocument, names_the_place_of_a_syntax_error) {
  const SyntaxFault fault = fault_of("a: 1\nb: [2\n");
  EXPECT_EQ(fault.text, "the '[' is not closed by ']'");
  EXPECT_EQ(fault.place.line, 2);
  EXPECT_TRUE(fault_of("a: *nowhere\n").text.starts_with("no '&NAME' above"));
  EXPECT_TRUE(fault_of(std::string(100000, '[')).text.starts_with("YAML: "));
}

}  // namespace
}  // namespace thalweg::config
