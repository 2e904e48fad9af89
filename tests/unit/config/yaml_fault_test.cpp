// What a user reads about a text that is no YAML, and where.
#include <gtest/gtest.h>

#include <string>

#include "config/document.hpp"

namespace thalweg::config {
namespace {

struct Mistake {
  std::string name;
  std::string yaml;
  int line;
  int column;
  std::string text;
};

class YamlFault : public testing::TestWithParam<Mistake> {};

TEST_P(YamlFault, is_named_at_its_cause) {
  const Mistake& mistake = GetParam();
  try {
    parse_document(mistake.yaml);
    FAIL() << "accepted";
  } catch (const SyntaxFault& fault) {
    EXPECT_EQ(fault.text, mistake.text);
    EXPECT_EQ(fault.place.line, mistake.line);
    EXPECT_EQ(fault.place.column, mistake.column);
  }
}

const std::string open_quote = "the text that begins with this quote is not closed by one";
const std::string no_column = "the line begins in a column in which none of those above begins that it could go on";
const std::string no_key = "a key, then ':' and a blank, then its value are wanted, as in 'every: 1 h'";

INSTANTIATE_TEST_SUITE_P(
    of_every_kind, YamlFault,
    testing::Values(
        Mistake{"quote", "h:\n  file: \"a.nc\n  every: 1 h\n", 2, 9, open_quote},
        Mistake{"single_quote", "h:\n  file: 'it''s.nc\n  every: 1 h\n", 2, 9, open_quote},
        Mistake{"quote_behind_a_byte_order_mark",
                "\xEF\xBB\xBF"
                "h:\r\n  file: \"a.nc\r\n",
                2, 9, open_quote},
        Mistake{"quote_behind_letters_of_several_bytes", "# é\nh: 'ü'\nk: \"a.nc\n", 3, 4, open_quote},
        Mistake{"quote_of_a_key", "h:\n  'file: a.nc\n", 2, 3, open_quote},
        Mistake{"list", "h:\n  dims: [1, # ]\n  every: 1 h\n", 2, 9, "the '[' is not closed by ']'"},
        Mistake{"map", "h:\n  a: [1]\n  b: {c: 'x}', d: 1\n", 3, 6, "the '{' is not closed by '}'"},
        Mistake{"percent", "h:\n  file: %Y.nc\n", 2, 9,
                "a value that begins with '%' is put between quotes: \"%Y.nc\""},
        Mistake{"at", "h:\n  file: @a.nc # x\n", 2, 9, "a value that begins with '@' is put between quotes: \"@a.nc\""},
        Mistake{
            "star", "h:\n  file: *a.nc\n", 2, 9,
            "no '&NAME' above marks what this alias stands for; a value that begins with '*' is put between quotes"},
        Mistake{"no_colon", "h:\n  file a.nc\n\n  every: 1 h\n", 2, 3, no_key},
        Mistake{"no_blank", "h:\n  file:a.nc\n  # where\n  every: 1 h\n", 2, 3, no_key},
        Mistake{"two_colons", "h:\n  file: a: b.nc\n", 2, 10,
                "a second ': ' in one line; put a value that holds it between quotes"},
        Mistake{"further_in", "h:\n  file: a.nc\n   every: 1 h\n", 3, 4,
                "the line is further in than line 2, whose key has a value already; keys of one level begin in one "
                "column"},
        Mistake{"further_out", "h:\n  file: a.nc\n every: 1 h\n", 3, 2, no_column},
        Mistake{"tab", "h:\n\tfile: a.nc\n", 2, 1, "the line begins with a tab; YAML is indented by spaces alone"},
        Mistake{"escape", "h:\n  file: \"a\\q\"\n", 2, 13, "YAML: unknown escape character: q"}),
    [](const testing::TestParamInfo<Mistake>& info) { return info.param.name; });

TEST(YamlText, is_read_with_quotes_that_end) {
  const Node root = parse_document("a: 'it''s'\nb: \"say \\\"x\\\" and \\\\\"\nc: 'two\n  lines'\r\nd: don't\n");
  EXPECT_EQ(root.members[0].value.text, "it's");
  EXPECT_EQ(root.members[1].value.text, "say \"x\" and \\");
  EXPECT_EQ(root.members[2].value.text, "two lines");
  EXPECT_EQ(root.members[3].value.text, "don't");
}

}  // namespace
}  // namespace thalweg::config
