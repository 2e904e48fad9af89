#include "config/dialect_values.hpp"

namespace thalweg::config {
Values<Dialect> dialect_or_none() {
  return one_of(words_or_none(dialects()));
}

Values<Report> report_names() {
  std::vector<Word<Report>> words = {{"none", Report{.prints = false, .as = {}}}, {"table", Report{}}};
  for (const Dialect dialect : dialects()) words.push_back({dialect->name, Report{.prints = true, .as = dialect}});
  return one_of(words);
}

std::string notes_on_options() {
  return notes_of(dialects(), &DialectDescription::note_on_options);
}

std::string notes_on_reports() {
  return notes_of(dialects(), &DialectDescription::note_on_report);
}

}  // namespace thalweg::config
