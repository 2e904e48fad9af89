#include "config/entries.hpp"

namespace thalweg::config {
namespace {

Entry forcing() {
  Entry entry = entry_of("forcing", "map of names",
                         "What the model reads as its time goes on, by names that it opens as if they were paths.");
  entry.open = [](const Target& target, const std::string& name) -> Target {
    return {.session = target.session, .forcing = &target.session->forcing[name]};
  };
  entry.names = [](const Target& target) { return names_in(target.session->forcing); };
  return entry;
}

}  // namespace

std::vector<Entry> forcing_entries() {
  return {
      forcing(),
      value("forcing.*.file", &ForcingSettings::file, path_or("none"), "none",
            "The file, set or store; or a series of them, whose names have parts for a date (`%Y`, `%m`, … as in "
            "`collections.NAME.file`): all that there are, one behind the other in time."),
      value(
          "forcing.*.interpolation", &ForcingSettings::interpolation,
          one_of<Interpolation>(
              {{"linear", Interpolation::linear}, {"nearest", Interpolation::nearest}, {"step", Interpolation::step}}),
          "linear",
          "What a field is between two records: linear in time; the nearest one, of two that are equally near the "
          "later; or the last one before."),
      value(
          "forcing.*.cycle", &ForcingSettings::cycle, cycle_or_none(), "none",
          "After what time the records come again, before and after their own time, too. Of years: at the same dates, "
          "of which one that a year lacks (29 February) is left out."),
      value("forcing.*.outside", &ForcingSettings::outside,
            one_of<Outside>({{"error", Outside::error}, {"hold", Outside::hold}}), "error",
            "What a field is before the first record, and after the last: an error, or these records."),
  };
}

}  // namespace thalweg::config
