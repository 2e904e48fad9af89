#include "read/selection_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/error.hpp"
#include "base/names.hpp"

namespace thalweg::read {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;; text.remove_prefix(parts.back().size() + 1)) {
    parts.push_back(text.substr(0, text.find(at)));
    if (parts.back().size() == text.size()) return parts;
  }
}

[[noreturn]] void refuse(const Choice& choice, const std::string& where, const std::string& why) {
  fail(THALWEG_ERROR_ARGUMENT,
       "{}: '{}' cannot be understood: {}; write 'z[2:5]' or 'z[2]' for cells by their index, 'lat=20:70', 'z=500' or, "
       "for the nearest, 'z=~500' by their coordinate, with ':2' behind a range for every second cell",
       where, choice.text, why);
}

template <typename Number>
Number parsed(std::string_view text, const Choice& choice, const std::string& where, const char* what) {
  text = trimmed(text);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    refuse(choice, where, fmt::format("'{}' is {}", text, what));
  if constexpr (std::is_floating_point_v<Number>)
    if (!std::isfinite(number)) refuse(choice, where, fmt::format("'{}' is {}", text, what));
  return number;
}

std::int64_t index_in(std::string_view text, const Choice& choice, const std::string& where) {
  const auto index = parsed<std::int64_t>(text, choice, where, "no whole number");
  if (index < 0) refuse(choice, where, fmt::format("{} is negative, but cells count from 0", index));
  return index;
}

double value_in(std::string_view text, const Choice& choice, const std::string& where) {
  return parsed<double>(text, choice, where, "no number");
}

template <typename Take>
void take_step(const std::vector<std::string_view>& parts, Choice& choice, const std::string& where,
               const Take& take_range) {
  if (parts.size() > 3) refuse(choice, where, "it has more than two ':'");
  take_range();
  if (parts.size() < 3) return;
  choice.step = parsed<std::int64_t>(parts[2], choice, where, "no whole number");
  if (choice.step < 1) refuse(choice, where, fmt::format("a step of {} is not above 0", choice.step));
}

void take_indices(std::string_view text, Choice& choice, const std::string& where) {
  const auto parts = split(text, ':');
  choice.by = parts.size() == 1 ? Choice::By::cell : Choice::By::cells;
  if (parts.size() == 1) {
    choice.first = index_in(text, choice, where);
    return;
  }
  take_step(parts, choice, where, [&] {
    if (!trimmed(parts[0]).empty()) choice.first = index_in(parts[0], choice, where);
    if (!trimmed(parts[1]).empty()) choice.stop = index_in(parts[1], choice, where);
  });
}

void take_values(std::string_view text, Choice& choice, const std::string& where) {
  text = trimmed(text);
  const auto parts = split(text, ':');
  if (parts.size() > 1) {
    choice.by = Choice::By::range;
    take_step(parts, choice, where, [&] {
      if (!trimmed(parts[0]).empty()) choice.low = value_in(parts[0], choice, where);
      if (!trimmed(parts[1]).empty()) choice.high = value_in(parts[1], choice, where);
    });
    return;
  }
  choice.by = text.starts_with('~') ? Choice::By::nearest : Choice::By::value;
  if (text.starts_with('~')) text.remove_prefix(1);
  choice.low = value_in(text, choice, where);
}

Choice choice_in(std::string_view text, const std::string& where) {
  Choice choice;
  choice.text = text;
  const auto bracket = text.find_first_of("[=");
  if (bracket == std::string_view::npos) refuse(choice, where, "it says nothing of a dimension");
  choice.name = trimmed(text.substr(0, bracket));
  if (choice.name.empty()) refuse(choice, where, "the name of a dimension is missing");
  if (text[bracket] == '=') {
    take_values(text.substr(bracket + 1), choice, where);
    return choice;
  }
  if (!text.ends_with(']')) refuse(choice, where, "the ']' is missing");
  take_indices(text.substr(bracket + 1, text.size() - bracket - 2), choice, where);
  return choice;
}

}  // namespace

std::vector<Choice> parse_selection(const std::string& text, const std::string& where) {
  std::vector<Choice> choices;
  if (trimmed(text).empty()) return choices;
  for (const std::string_view part : split(text, ',')) choices.push_back(choice_in(trimmed(part), where));
  return choices;
}

}  // namespace thalweg::read
