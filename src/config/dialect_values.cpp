#include "config/dialect_values.hpp"

#include <utility>

namespace thalweg::config {
namespace {

std::string notes(std::string_view DialectDescription::* note) {
  std::string text;
  for (const Dialect dialect : dialects()) text += fmt::format("; {}: {}", dialect->name, (*dialect).*note);
  return text;
}

}  // namespace

Values<Dialect> dialect_or_none() {
  std::vector<std::pair<std::string, Dialect>> words = words_of(dialects());
  words.emplace(words.begin(), "none", Dialect());
  return one_of(std::move(words));
}

Values<Report> report_names() {
  std::vector<std::pair<std::string, Report>> words = {{"none", Report{.prints = false, .as = {}}},
                                                       {"table", Report{}}};
  for (const Dialect dialect : dialects()) words.emplace_back(dialect->name, Report{.prints = true, .as = dialect});
  return one_of<Report>(std::move(words));
}

std::string notes_on_options() {
  return notes(&DialectDescription::note_on_options);
}

std::string notes_on_reports() {
  return notes(&DialectDescription::note_on_report);
}

}  // namespace thalweg::config
