#include "formats/zarr/parse_json.hpp"

#include <algorithm>
#include <string_view>

namespace thalweg::formats::zarr {
namespace {

// The length of the text in quotes at the begin; of one without an end, all there is.
std::size_t quoted_length(std::string_view text) {
  std::size_t at = 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::string with_quoted_words(std::string_view text) {
  std::string quoted;
  while (!text.empty()) {
    std::size_t length = text.front() == '"' ? quoted_length(text) : 1;
    bool is_word = false;
    for (const std::string_view word : {"NaN", "Infinity", "-Infinity"})
      if (text.starts_with(word)) {
        length = word.size();
        is_word = true;
      }
    if (is_word) quoted += '"';
    quoted += text.substr(0, length);
    if (is_word) quoted += '"';
    text.remove_prefix(length);
  }
  return quoted;
}

}  // namespace

Json parse_json(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json::parse(with_quoted_words(text)) : json;
}

}  // namespace thalweg::formats::zarr
