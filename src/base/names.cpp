#include "base/names.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace thalweg {
namespace {

char as_lower(char c) {
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Capitals for small letters are no difference.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (as_lower(a[i - 1]) == as_lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row.back();
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> names;
  if (trimmed(list).empty()) return names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    names.emplace_back(trimmed(list.substr(begin, end - begin)));
    begin = end + 1;
  }
  return names;
}

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known) {
  return nearest_names(name, known, std::max<std::size_t>(2, name.size() / 3));
}

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known,
                                       std::size_t plausible) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& candidate : known)
    if (const std::size_t distance = edit_distance(name, candidate); distance <= plausible)
      ranked.emplace_back(distance, candidate);
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < ranked.size() && i < 3; ++i) nearest.push_back(ranked[i].second);
  return nearest;
}

std::string name_hint(std::string_view name, const std::vector<std::string>& known) {
  const auto nearest = nearest_names(name, known);
  if (!nearest.empty()) return fmt::format("; did you mean '{}'?", fmt::join(nearest, "' or '"));
  if (known.empty()) return "";
  constexpr std::size_t shown = 20;
  const std::vector<std::string> head(known.begin(), known.begin() + static_cast<long>(std::min(shown, known.size())));
  return fmt::format("; known are: {}{}", fmt::join(head, ", "), known.size() > shown ? ", …" : "");
}

std::string counted(std::int64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

}  // namespace thalweg
