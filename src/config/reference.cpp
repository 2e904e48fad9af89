#include <fmt/ranges.h>

#include "config/grammar.hpp"

namespace thalweg::config {
namespace {

// Patterns read better with the word that the design uses for the name.
std::string shown_path(const Entry& entry) {
  std::string path = entry.path;
  for (const char* const name : {"NAME", "VARIABLE"})
    if (const auto star = path.find('*'); star != std::string::npos) path.replace(star, 1, name);
  return path;
}

std::string shown_values(const Entry& entry) {
  return entry.allowed.empty() ? entry.kind : fmt::format("`{}`", fmt::join(entry.allowed, "`, `"));
}

std::string line_of(const ReferenceRow& row) {
  const std::string fallback = row.fallback.empty() ? "" : fmt::format("`{}`", row.fallback);
  return fmt::format("| `{}` | {} | {} | {} |\n", row.key, row.values, fallback, row.meaning);
}

}  // namespace

std::vector<ReferenceRow> reference() {
  std::vector<ReferenceRow> rows;
  for (const Entry& entry : grammar())
    rows.push_back({.key = shown_path(entry),
                    .values = shown_values(entry),
                    .fallback = entry.default_text,
                    .meaning = entry.text});
  return rows;
}

std::string reference_markdown() {
  std::string page =
      "# Configuration keys\n\n"
      "Keys without a dot are at the top level of the YAML file; `NAME` and `VARIABLE` are names of the model's own.\n"
      "A top-level key with a value can also be set by an environment variable: `THALWEG_STAGING` for `staging`,\n"
      "`THALWEG_EMULATE_NODES` for `emulate-nodes`; it prevails over the file. For `THALWEG_WRITERS` keys can be "
      "given\n"
      "as well, as in `{ranks: 2}`.\n"
      "`compression: zstd` is short for `compression: {codec: zstd}`, `writers: sync` for `writers: {place: sync}`, "
      "and\n"
      "`writers: {ranks: 2}` and `writers: {nodes: 2}` say both where servers are and how many.\n"
      "A program may give the keys below `collections.NAME` itself (`thalweg_open_collection_text`); what the file "
      "says "
      "of\n"
      "the same collection prevails, key by key.\n\n"
      "| key | values | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const ReferenceRow& row : reference()) page += line_of(row);
  return page;
}

}  // namespace thalweg::config
