#include "config/yaml_fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace thalweg::config {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

Place place_at(std::string_view yaml, std::size_t offset) {
  const std::string_view before = yaml.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  return {static_cast<int>(std::ranges::count(before, '\n')) + 1, static_cast<int>(offset - begin) + 1};
}

// Behind the quote that closes what yaml[begin] opens; nothing if none does. A doubled single quote is one of the text,
// as is what follows a backslash between double quotes.
std::optional<std::size_t> end_of_quoted(std::string_view yaml, std::size_t begin) {
  const char quote = yaml[begin];
  for (std::size_t i = begin + 1; i < yaml.size(); ++i) {
    if (quote == '"' && yaml[i] == '\\') {
      ++i;
    } else if (yaml[i] == quote) {
      const bool is_doubled = quote == '\'' && i + 1 < yaml.size() && yaml[i + 1] == quote;
      if (!is_doubled) return i + 1;
      ++i;
    }
  }
  return std::nullopt;
}

bool begins_comment(std::string_view yaml, std::size_t at) {
  return yaml[at] == '#' && (at == 0 || std::string_view(" \t\n").find(yaml[at - 1]) != std::string_view::npos);
}

// A line without its comment, which is behind a blank, and without blanks at its end.
std::string_view content_of(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i)
    if (begins_comment(line, i)) line = line.substr(0, i);
  const std::size_t last = line.find_last_not_of(blanks);
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::size_t indentation_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

class Lines {
 public:
  explicit Lines(std::string_view yaml) {
    for (std::size_t begin = 0; begin <= yaml.size();) {
      const std::size_t end = std::min(yaml.find('\n', begin), yaml.size());
      lines_.push_back(yaml.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  // Counted from 1; empty for others.
  std::string_view at(int line) const {
    return line >= 1 && line <= static_cast<int>(lines_.size()) ? lines_[static_cast<std::size_t>(line) - 1] : "";
  }
  // The last one before it that says something; 0: there is none.
  int before(int line) const {
    do --line;
    while (line > 0 && content_of(at(line)).empty());
    return line;
  }

 private:
  std::vector<std::string_view> lines_;
};

// What opens the innermost list or map in brackets that is not closed. A bracket, or a quote, inside of a word is one
// of the word.
std::optional<std::size_t> bracket_left_open(std::string_view yaml) {
  std::vector<std::size_t> open;
  char before = '\n';
  for (std::size_t i = 0; i < yaml.size(); ++i) {
    const char c = yaml[i];
    const bool begins = std::string_view("\n:-[{,").find(before) != std::string_view::npos;
    if (blanks.find(c) != std::string_view::npos) continue;
    if (begins_comment(yaml, i)) {
      i = std::min(yaml.find('\n', i), yaml.size()) - 1;
      continue;
    }
    if ((c == '"' || c == '\'') && begins) {
      const std::optional<std::size_t> end = end_of_quoted(yaml, i);
      if (!end) break;
      i = *end - 1;
    } else if ((c == '[' || c == '{') && begins) {
      open.push_back(i);
    } else if ((c == ']' || c == '}') && !open.empty()) {
      open.pop_back();
    }
    before = c;
  }
  return open.empty() ? std::nullopt : std::optional(open.back());
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

bool has_key(std::string_view content) {
  return content.ends_with(':') || content.find(": ") != std::string_view::npos;
}

Place begin_of(const Lines& lines, int line) {
  return {line, static_cast<int>(indentation_of(lines.at(line))) + 1};
}

// What is wrong with the line above another, of which the parser takes notice in the one below.
std::optional<SyntaxFault> explain_line_above(const Lines& lines, int line) {
  const int other = lines.before(line);
  const std::string_view above = content_of(lines.at(other));
  if (other == 0 || has_key(above) || above[indentation_of(above)] == '-') return std::nullopt;
  return SyntaxFault{begin_of(lines, other),
                     "a key, then ':' and a blank, then its value are wanted, as in 'every: 1 h'"};
}

// A ':' where none can be: a second one in a line, or the line above is at fault.
std::optional<SyntaxFault> explain_colon(const Lines& lines, Place place) {
  const std::string_view line = lines.at(place.line);
  if (count_of(content_of(line), ": ") > 1)
    return SyntaxFault{place, "a second ': ' in one line; put a value that holds it between quotes"};
  if (std::optional<SyntaxFault> above = explain_line_above(lines, place.line)) return above;
  const int other = lines.before(place.line);
  const std::string_view above = content_of(lines.at(other));
  if (other == 0 || above.ends_with(':') || indentation_of(line) <= indentation_of(above)) return std::nullopt;
  return SyntaxFault{begin_of(lines, place.line),
                     fmt::format("the line is further in than line {}, whose key has a value already; keys of one "
                                 "level begin in one column",
                                 other)};
}

SyntaxFault explain_indentation(const Lines& lines, Place place) {
  return explain_line_above(lines, place.line)
      .value_or(SyntaxFault{begin_of(lines, place.line),
                            "the line begins in a column in which none of those above begins that it could go on"});
}

// A character that has a meaning of its own at the beginning of a value.
SyntaxFault explain_beginning(const Lines& lines, Place place) {
  const std::string_view line = content_of(lines.at(place.line));
  const std::string_view value = line.substr(std::min(static_cast<std::size_t>(place.column) - 1, line.size()));
  if (value.empty()) return {place, "YAML: unknown token"};
  return {place, fmt::format("a value that begins with '{}' is put between quotes: \"{}\"", value.front(), value)};
}

bool is_indented_by_tab(std::string_view line) {
  return line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string_view::npos;
}

// Nothing: the parser's words are the best known.
std::optional<SyntaxFault> cause_of(const std::string& yaml, Place place, const std::string& message) {
  const Lines lines(yaml);
  if (is_indented_by_tab(lines.at(place.line)))
    return SyntaxFault{{place.line, 1}, "the line begins with a tab; YAML is indented by spaces alone"};
  if (message.find("flow") != std::string::npos) {
    const std::optional<std::size_t> open = bracket_left_open(yaml);
    if (!open) return std::nullopt;
    return SyntaxFault{place_at(yaml, *open),
                       fmt::format("the '{}' is not closed by '{}'", yaml[*open], yaml[*open] == '[' ? ']' : '}')};
  }
  if (message == "illegal map value") return explain_colon(lines, place);
  if (message == "end of map not found" || message == "end of sequence not found")
    return explain_indentation(lines, place);
  if (message == "unknown token") return explain_beginning(lines, place);
  if (message.find("anchor is not defined") != std::string::npos)
    return SyntaxFault{place,
                       "no '&NAME' above marks what this alias stands for; a value that begins with '*' is put between "
                       "quotes"};
  return std::nullopt;
}

}  // namespace

SyntaxFault explain_fault(const std::string& yaml, Place place, const std::string& message) {
  return cause_of(yaml, place, message).value_or(SyntaxFault{place, "YAML: " + message});
}

bool is_quote_left_open(std::string_view yaml, std::size_t begin) {
  if (yaml.starts_with(byte_order_mark)) begin += byte_order_mark.size();
  const bool is_quoted = begin < yaml.size() && (yaml[begin] == '"' || yaml[begin] == '\'');
  return is_quoted && !end_of_quoted(yaml, begin);
}

}  // namespace thalweg::config
