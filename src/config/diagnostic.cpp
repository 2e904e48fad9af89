#include "config/diagnostic.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <climits>
#include <sstream>
#include <tuple>
#include <utility>

#include "base/error.hpp"

namespace thalweg::config {
namespace {

// Blanks as wide as the line's first bytes: tabs stay tabs, and a character of several bytes is one blank.
std::string blanks_below(const std::string& line, int bytes) {
  std::string blanks;
  for (const char c : line.substr(0, static_cast<std::size_t>(std::max(bytes, 0)))) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (!continues) blanks += c == '\t' ? '\t' : ' ';
  }
  return blanks;
}

std::string render(const Where& where, const std::string& text) {
  const std::string message = fmt::format("{}: error: {}", where.label, text);
  if (where.line.empty()) return message;
  const std::string number = where.place.line > 0 ? std::to_string(where.place.line) : "";
  return fmt::format("{}\n{:>5} | {}\n{:>5} | {}^", message, number, where.line, "",
                     blanks_below(where.line, where.column - 1));
}

// A long line would be repeated with each of its faults. No character is cut in two.
void shorten(Where& where) {
  constexpr std::size_t before_bytes = 80, most_bytes = 200;
  if (where.line.size() <= most_bytes) return;
  const std::string whole = std::move(where.line);
  const auto begins_character = [&](std::size_t at) {
    return at >= whole.size() || (static_cast<unsigned char>(whole[at]) & 0xC0U) != 0x80U;
  };
  const auto caret = std::min(static_cast<std::size_t>(std::max(where.column, 1)) - 1, whole.size());
  std::size_t begin = caret > before_bytes ? caret - before_bytes : 0;
  while (begin < caret && !begins_character(begin)) ++begin;
  std::size_t end = std::min(begin + most_bytes, whole.size());
  while (end > caret && !begins_character(end)) --end;
  const std::string left = begin > 0 ? "… " : "";
  where.line = left + whole.substr(begin, end - begin) + (end < whole.size() ? " …" : "");
  where.column = static_cast<int>(caret - begin + left.size()) + 1;
}

}  // namespace

Source::Source(std::string name, const std::string& text, std::string kind)
    : name_(std::move(name)), kind_(std::move(kind)) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines_.push_back(std::move(line));
  }
}

Where Source::at(Place place) const {
  Where where{.label = name_, .place = place, .line = "", .column = place.column, .origin = ""};
  if (place.line > 0) where.label = fmt::format("{}:{}:{}", name_, place.line, place.column);
  const auto index = static_cast<std::size_t>(place.line) - 1;
  if (place.line > 0 && index < lines_.size()) where.line = lines_[index];
  where.origin = kind_ + " " + where.label;
  shorten(where);
  return where;
}

Where in_environment(const std::string& name, const std::string& value) {
  const std::string label = "environment " + name;
  Where where{.label = label,
              .place = {},
              .line = name + "=" + value,
              .column = static_cast<int>(name.size()) + 2,
              .origin = label};
  shorten(where);
  return where;
}

void Diagnostics::add(Where where, std::string text) {
  constexpr std::size_t most_faults = 100;
  const auto is_same = [&](const Fault& known) { return known.where.label == where.label && known.text == text; };
  if (std::ranges::any_of(faults_, is_same)) return;
  faults_.push_back({std::move(where), std::move(text)});
  if (faults_.size() == most_faults) throw_if_any("there may be more; correct these first");
}

void Diagnostics::throw_if_any(const std::string& more) const {
  if (faults_.empty()) return;
  std::vector<Fault> sorted = faults_;
  const auto rank = [](const Fault& fault) {
    const Place& place = fault.where.place;
    return std::tuple(place.line > 0 ? place.line : INT_MAX, place.column);
  };
  std::stable_sort(sorted.begin(), sorted.end(), [rank](const Fault& a, const Fault& b) { return rank(a) < rank(b); });
  std::vector<std::string> texts;
  for (const Fault& fault : sorted) texts.push_back(render(fault.where, fault.text));
  if (!more.empty()) texts.push_back(more);
  throw Error(THALWEG_ERROR_CONFIG, fmt::format("{}", fmt::join(texts, "\n")));
}

}  // namespace thalweg::config
